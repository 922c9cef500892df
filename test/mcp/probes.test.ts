import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { GuardedServer } from "../../adapters/mcp/probe/guarded-server.ts";
import { askOperators } from "../../daemon/operator/ask-operators.ts";
import { readTokenFile } from "../../daemon/operator/token-files.ts";
import { tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import type { Ended } from "../kit/processes.ts";
import { program } from "../kit/programs.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";
import { Shop } from "./shop.ts";

let daemons: Daemon[] = [];
afterEach(async () => {
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  daemons = [];
});

const listing = { pages: [["refund", "preview", "read", "undo"].map((name) => tool(name))] };
const server = { server: "shop", credential: null };

/** A daemon that has seen the server once, and an operator. */
const setUp = async (answers: Readonly<Record<string, object>>, probes = true) => {
  const place = await makePlace(ruleModule(plainRule()), "unknown: allow\n");
  daemons.push(await startDaemon(place));
  await interlock(place, ["operators", "add", "ann"]);
  const shop = new Shop(place, { listing, answers });
  const mcp = [program("interlock"), "mcp", "--server", "shop", "--socket", place.socket, "--", ...shop.command];
  const guarded = await GuardedServer.open({ command: process.execPath, args: mcp, timeout_ms: 20_000 });
  expect(await guarded.call("read", {})).toMatchObject({ kind: "result" });
  const ask = (what: Parameters<typeof askOperators>[1], body: object) =>
    askOperators(
      {
        socket: join(place.home, "state", "operator.sock"),
        token: readTokenFile(join(place.home, "operators"), "ann"),
      },
      what,
      body as never,
    );
  if (probes) await ask("servers.trust", { server, environment: "non_production", probes: true });
  return { place, shop, guarded, ask };
};

const probe = (place: Place, shop: Shop, kind: string, expected: string, ...more: string[]): Promise<Ended> =>
  interlock(place, [
    "probe",
    kind,
    ...["--server", "shop", "--expect", expected, "--safety-note", "a canary of the test shop", "--timeout", "5"],
    ...more,
    ...["--", ...shop.command],
  ]);

test("a denial the MCP way is a denial, and what is let through where it must not be is quarantined", async () => {
  const denied = { refund: { text: "403 Forbidden", isError: true } };
  const { place, shop, guarded, ask } = await setUp({ ...denied, read: { text: "state" } });
  const first = await probe(place, shop, "permission", "denied", "--tool", "refund", "--args", '{"order_id":"o-77"}');
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^allow {2}refund: expected denied, observed denied, forbidden {2}pr_\S{22}\n$/),
  ]);
  // The word alone denies nothing, and nothing is concluded.
  shop.tell({ listing, answers: { refund: { text: "variable is out of scope", isError: true } } });
  const unclear = await probe(place, shop, "permission", "denied", "--tool", "refund");
  expect([unclear.code, unclear.stderr]).toEqual([
    1,
    expect.stringContaining("monitor  refund: expected denied, observed unknown"),
  ]);
  expect((await guarded.call("refund", {})).kind).toBe("result");
  shop.tell({ listing, answers: { refund: { text: "refunded", writes: -1 }, undo: { text: "undone", writes: 1 } } });
  const passed = await probe(place, shop, "permission", "denied", "--tool", "refund", "--cleanup", "undo");
  expect([passed.code, passed.stderr]).toEqual([
    1,
    expect.stringContaining(
      "quarantine  refund: expected denied, observed allowed (effective_permission_expansion, behavioral_scope_drift)",
    ),
  ]);
  expect(shop.state).toBe(100);
  expect(await guarded.call("refund", {})).toEqual({ kind: "blocked", code: "tool_quarantined" });
  const before = shop.called("refund");
  const blocked = await probe(place, shop, "permission", "denied", "--tool", "refund");
  expect(blocked.stderr).toContain("observed inconclusive_probe_error, blocked_by_guard");
  expect(shop.called("refund")).toBe(before);
  const receipts = await receiptsOf(place);
  expect(receipts.filter(({ event }) => event === "probe_run")).toHaveLength(4);
  expect(receipts.filter(({ event }) => event === "surface_quarantined")).toHaveLength(1);
  expect(JSON.stringify(receipts)).not.toContain("o-77");
  const { probes } = await ask("probes.list", { server });
  const [, third] = probes as unknown as { cleanup: string; surface: string; tool_hash: string }[];
  expect(third).toMatchObject({
    cleanup: "done",
    surface: expect.stringMatching(/^sha256:/),
    tool_hash: expect.stringMatching(/^sha256:/),
  });
  expect((await interlock(place, ["probe", "list", "--server", "shop"])).stdout.trim().split("\n")).toHaveLength(4);
  await guarded.close();
});

test("a preview that changes something is quarantined; a clock in what is read back is no change", async () => {
  const { place, shop, guarded } = await setUp({ preview: { text: '{"dry_run":true}' }, read: { text: "state" } });
  const calls = ["--tool", "preview", "--read", "read"];
  const calm = await probe(place, shop, "readback", "no_change", ...calls);
  expect([calm.code, calm.stdout]).toEqual([
    0,
    expect.stringContaining("allow  preview: expected no_change, observed no change"),
  ]);
  const missing = await probe(place, shop, "readback", "change_allowed", ...calls);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("monitor  preview")]);
  expect((await guarded.call("preview", {})).kind).toBe("result");
  shop.tell({ listing, answers: { preview: { text: '{"dry_run":true}', writes: -5 }, read: { text: "state" } } });
  const silent = await probe(place, shop, "readback", "no_change", ...calls);
  expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining("silent_side_effect_drift")]);
  expect(silent.stderr).toContain("effect_response_contradicted_by_readback");
  expect(await guarded.call("preview", {})).toEqual({ kind: "blocked", code: "tool_quarantined" });
  await guarded.close();
});

test("a probe that ends in no answer concludes nothing", async () => {
  const slow = { refund: { text: "late", wait_ms: 8_000 }, read: { text: "Too many requests", isError: true } };
  const { place, shop, guarded } = await setUp(slow);
  const late = await probe(place, shop, "permission", "denied", "--tool", "refund", "--timeout", "1");
  expect(late.stderr).toContain("observed inconclusive_upstream_error, timeout");
  const limited = await probe(place, shop, "readback", "no_change", "--tool", "preview", "--read", "read");
  expect(limited.stderr).toContain("observed nothing: rate_limited at before_readback");
  expect([late.code, limited.code, shop.called("preview")]).toEqual([1, 1, 0]);
  const none = await interlock(place, [
    ...[
      "probe",
      "permission",
      "--server",
      "shop",
      "--expect",
      "denied",
      "--safety-note",
      "a canary",
      "--tool",
      "refund",
    ],
    ...["--", process.execPath, "--eval", ""],
  ]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("probe: no MCP server answered")]);
  const kept = await interlock(place, ["probe", "list", "--server", "shop"]);
  expect(kept.stdout).toMatch(/^monitor {2}refund: expected denied, observed inconclusive_probe_error, not_run/);
  await guarded.close();
});

test("only where an operator allows it, with a note, one at a time; else nothing is started", async () => {
  const { place, shop, guarded, ask } = await setUp({}, false);
  const asked = shop.asked.length;
  const code = async (...more: string[]) =>
    JSON.parse((await probe(place, shop, "permission", "denied", "--tool", "refund", "--json", ...more)).stdout).code;
  expect(await code()).toBe("probes_not_enabled");
  await ask("servers.trust", { server, environment: "production", probes: true });
  expect(await code()).toBe("probes_not_enabled");
  await ask("servers.trust", { server, environment: "non_production", probes: true });
  expect(await code("--safety-note", " ")).toBe("no_safety_note");
  expect(await code("--tool", "none")).toBe("no_item");
  expect(await code("--server", "other")).toBe("no_server");
  const plan = {
    argument_hash: `sha256:${"0".repeat(64)}`,
    expected: "denied",
    kind: "permission",
    safety_note: "x",
    server,
    tool: "read",
  };
  await ask("probes.begin", plan);
  expect(await code()).toBe("probe_running");
  expect(shop.asked.length).toBe(asked);
  await guarded.close();
});
