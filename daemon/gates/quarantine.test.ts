import { describe, expect, test } from "vitest";
import { SessionSurfaces } from "../surfaces/session-surfaces.ts";
import { recordKey } from "../surfaces/state/record.ts";
import { hostile, keep, surface, taken, tool } from "../surfaces/test-keeper.ts";
import { type CallSurface, heldSince, quarantineGate } from "./quarantine.ts";

const named = { server: "orders", credential: null };
const key = recordKey(named);
const template = (uriTemplate: string, description = "An order.") => ({ uriTemplate, name: "order", description });
const file = (uri: string) => ({ uri, name: "order" });

/** A session in front of a server, by what it reports in turn. */
const session = async () => {
  const { keeper } = await keep();
  const sessions = new SessionSurfaces();
  const one = {};
  const call: CallSurface = {
    named,
    reported: () => sessions.find(one, key),
    known: () => keeper.find(key),
  };
  const report = async (...of: Parameters<typeof surface>): Promise<void> => {
    sessions.report(one, key, (await taken(keeper, surface(...of))).seen, 0, 10_000);
  };
  const read = (uri: string, phase: "call" | "result" = "call") => {
    const put = { action: "mcp.read_resource", args: { uri }, phase };
    const { answer, denial } = quarantineGate(call, put, 1);
    return denial?.code ?? answer;
  };
  return { call, report, read };
};

describe("a template that is quarantined", () => {
  const calm = { resources: [file("orders://listed")], resource_templates: [template("orders://{id}")] };
  const changed = { ...calm, resource_templates: [template("orders://{id}", hostile)] };

  test("cannot be read by once it is listed no more", async () => {
    const { report, read } = await session();
    await report([tool("status")], calm);
    expect([read("orders://1"), read("orders://listed"), read("other://1")]).toEqual(["ALLOW", "ALLOW", "SKIP"]);
    await report([tool("status")], changed);
    expect(read("orders://1")).toBe("tool_quarantined");
    await report([tool("status")], { ...calm, resource_templates: [] });
    expect([read("orders://1"), read("orders://listed"), read("other://1")]).toEqual([
      "tool_quarantined",
      "ALLOW",
      "SKIP",
    ]);
  });

  test("keeps back what was read by it when it became so, and nothing else", async () => {
    const { call, report, read } = await session();
    await report([tool("status")], calm);
    const put = { action: "mcp.read_resource", args: { uri: "orders://1" }, phase: "call" as const };
    expect(heldSince(call, put)).toBeNull();
    await report([tool("status")], changed);
    expect(heldSince(call, put)?.code).toBe("tool_quarantined");
    expect(["orders://1", "orders://listed", "other://1"].map((uri) => read(uri, "result"))).toEqual([
      "tool_quarantined",
      "ALLOW",
      "ALLOW",
    ]);
  });
});
