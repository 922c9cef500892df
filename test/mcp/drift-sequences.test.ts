import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import { GuardedServer } from "../../adapters/mcp/probe/guarded-server.ts";
import { BlockedError, guardMcpSession, RemoteEngine } from "../../client-node/index.ts";
import { hostile, tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { program } from "../kit/programs.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";
import { Shop, type Told } from "./shop.ts";

/** A host in front of the real server, guarded one way or the other. */
interface Host {
  /** `ran`, or the code of what kept it from running. */
  call(tool: string): Promise<string>;
  close(): Promise<void>;
}

const throughProxy = async (place: Place, shop: Shop): Promise<Host> => {
  const args = [program("interlock"), "mcp", "--server", "shop", "--socket", place.socket, "--", ...shop.command];
  const guarded = await GuardedServer.open({ command: process.execPath, args, timeout_ms: 20_000 });
  return {
    async call(name) {
      const answer = await guarded.call(name, {});
      if (answer.kind === "blocked") return answer.code;
      return answer.kind === "result" && !answer.isError ? "ran" : answer.kind;
    },
    close: () => guarded.close(),
  };
};

const throughSession = async (place: Place, shop: Shop): Promise<Host> => {
  const [command, ...args] = shop.command;
  const bare = new Client({ name: "host", version: "1" });
  await bare.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  const engine = new RemoteEngine(place.socket);
  const client = guardMcpSession(bare, { engine, server: "shop" });
  return {
    async call(name) {
      try {
        await client.callTool({ name, arguments: {} });
        return "ran";
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        return error.decision.details?.code ?? "surface_unlisted";
      }
    },
    async close() {
      await bare.close();
      await engine.close();
    },
  };
};

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const calm = [tool("status"), tool("total")];
const listing = (...tools: readonly object[]): Told["listing"] => ({ pages: [tools] });
const changed = (more: object): Told => ({ listing: listing(tool("status"), tool("total", more as never)) });
const poisoned = changed({ description: hostile });
const announcing = (told: Told): Told => ({ ...told, answers: { status: { text: "ok", announces: true } } });

describe.each([
  ["the stdio proxy", throughProxy],
  ["guardMcpSession", throughSession],
] as const)("behind %s", (_, open) => {
  const setUp = async (told: Told = { listing: listing(...calm) }) => {
    const place = await makePlace(ruleModule(plainRule()), "unknown: allow\n");
    const daemon: Daemon = await startDaemon(place);
    ended.push(() => daemon.stop());
    const shop = new Shop(place, told);
    const host = async (): Promise<Host> => {
      const opened = await open(place, shop);
      ended.push(() => opened.close());
      return opened;
    };
    return { place, shop, host };
  };

  test("the first call on a fresh server waits for its listing, and a hostile one is not called", async () => {
    const { shop, host, place } = await setUp(poisoned);
    const one = await host();
    expect(await Promise.all([one.call("total"), one.call("status")])).toEqual(["tool_quarantined", "ran"]);
    expect(shop.asked[0]).toBe("list 0");
    expect(shop.called("total")).toBe(0);
    // T12: what was blocked is told as blocked.
    const receipt = (await receiptsOf(place)).find(({ action }) => action === "total");
    expect(receipt).toMatchObject({ verdict: "BLOCK", code: "tool_quarantined" });
  });

  test("T20: a change that the server tells of is judged before the next call", async () => {
    const { shop, host } = await setUp();
    const one = await host();
    expect(await one.call("total")).toBe("ran");
    shop.tell(announcing(poisoned));
    expect(await one.call("status")).toBe("ran");
    expect(await one.call("total")).toBe("tool_quarantined");
    expect(shop.called("total")).toBe(1);
  });

  test("a change that the server keeps to itself is caught no later than its ttlMs", async () => {
    const { shop, host } = await setUp({ listing: { ...listing(...calm), ttlMs: 1_000 } });
    const one = await host();
    expect(await one.call("total")).toBe("ran");
    shop.tell({ listing: { ...poisoned.listing, ttlMs: 1_000 } });
    await delay(1_100);
    expect(await one.call("total")).toBe("tool_quarantined");
    expect(shop.called("total")).toBe(1);
  });

  test("A to D, T1 to T4: laundering, lost evidence, a hostile turn and a new tool", async () => {
    const { shop, host, place } = await setUp();
    expect(await (await host()).call("total")).toBe("ran");
    const seen = async (told: Told, name = "total"): Promise<string> => {
      shop.tell(told);
      return (await host()).call(name);
    };
    // C and B: hostile, and the same once more.
    expect([await seen(poisoned), await seen(poisoned)]).toEqual(["tool_quarantined", "tool_quarantined"]);
    // A: a trivial edit of it, and what was there before.
    const edited = changed({ description: `${hostile} Fast.` });
    expect([await seen(edited), await seen({ listing: listing(...calm) })]).toEqual([
      "tool_quarantined",
      "tool_quarantined",
    ]);
    expect(await seen({ listing: listing(...calm, tool("refund")) }, "refund")).toBe("tool_held");
    expect([shop.called("total"), shop.called("refund")]).toEqual([1, 0]);
    const receipts = await receiptsOf(place);
    const surfaces = new Set(receipts.flatMap(({ surface }) => (typeof surface === "string" ? [surface] : [])));
    expect(surfaces.size).toBe(1);
    expect(receipts.filter(({ event }) => event === "surface_approved")).toHaveLength(1);
  });

  test("T5, T6: what a parameter says is held; a bound that is tightened is not", async () => {
    const { shop, host } = await setUp();
    expect(await (await host()).call("total")).toBe("ran");
    const schema = (order_id: object): Told =>
      changed({ inputSchema: { type: "object", properties: { order_id }, required: ["order_id"] } });
    shop.tell(schema({ type: "string", maxLength: 40 }));
    expect(await (await host()).call("total")).toBe("ran");
    shop.tell(schema({ type: "string", description: hostile }));
    expect(await (await host()).call("total")).toBe("tool_quarantined");
    expect(shop.called("total")).toBe(2);
  });

  test("T19: all pages are one listing, and a cursor that comes again is refused", async () => {
    const { shop, host } = await setUp({ listing: { pages: [[tool("status")], [tool("total")]] }, next: [1] });
    const one = await host();
    expect([await one.call("total"), await one.call("other")]).toEqual(["ran", "tool_unlisted"]);
    shop.tell({ listing: { pages: [[tool("status")], [tool("total")]] }, next: [1, 0] });
    // The client of 2.x walks the pages itself, up to its own bound; what it makes of them is no listing either.
    expect(["surface_refused", "surface_unlisted"]).toContain(await (await host()).call("status"));
    expect(shop.called("status")).toBe(0);
  });
});
