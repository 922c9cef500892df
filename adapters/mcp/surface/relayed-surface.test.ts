import { describe, expect, test } from "vitest";
import { Decision } from "../../../client-node/decision.ts";
import type { SurfaceBody } from "../../../wire/surface-body.ts";
import { Verdict } from "../../../wire/verdict.ts";
import type { Json } from "../testing/line-peer.ts";
import { answer, notification, relayed, request, text } from "../testing/relayed.ts";

const tool = (name: string, description = name): object => ({ name, description, inputSchema: { type: "object" } });

/** A relay in front of a server that lists `tools`, whose daemon answers to a report what `see` says. */
const listing = async (
  see: (body: SurfaceBody) => Decision | null = () => Decision.allow(),
  judge: Parameters<typeof relayed>[0] = undefined,
) => {
  const reports: SurfaceBody[] = [];
  const made = await relayed(judge, {}, (body) => {
    reports.push(body);
    return see(body);
  });
  const { host, server } = made;
  const state = { tools: [tool("a"), tool("b")], asked: [] as string[], called: [] as string[] };
  const serve = async (): Promise<void> => {
    for (let message = await server.next(60_000); message !== null; message = await server.next(60_000)) {
      if (message.id === undefined || message.method === undefined) continue;
      state.asked.push(message.method);
      server.send(served(message));
    }
  };
  const served = ({ id, method, params }: Json): object => {
    switch (method) {
      case "initialize":
        return answer(id, { capabilities: { tools: {} }, protocolVersion: "2025-11-25", instructions: "be kind" });
      case "tools/list":
        return answer(id, { tools: state.tools });
      case "tools/call":
        state.called.push(params.name);
        return answer(id, text("done"));
      default:
        return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
    }
  };
  serve().catch(() => {});
  const open = (): Promise<Json> => host.ask("initialize", { capabilities: {} });
  const call = (name = "a"): Promise<Json> => host.ask("tools/call", { name });
  return { ...made, reports, state, open, call };
};

const held = (...names: string[]): Decision =>
  Decision.modifyResult({
    held: names.map((name) => ({ kind: "tool", name, action: "quarantine", reason: "it changed" })),
  });

const blockedCode = ({ result }: Json): string => result._meta["interlock/blocked"].code;

describe("the first call of a fresh server", () => {
  test("waits until all that the server lists is reported, under the name that it was given", async () => {
    const { open, call, reports, state, engine } = await listing();
    await open();
    expect(await call()).toMatchObject({ result: text("done") });
    expect(state.asked).toEqual(["initialize", "tools/list", "tools/call"]);
    expect(reports.at(-1)).toEqual({
      server: "test",
      credential: null,
      tools: [tool("a"), tool("b")],
      prompts: null,
      resources: null,
      resource_templates: null,
      instructions: "be kind",
      identity: null,
      ttl_ms: null,
    });
    expect(engine.events.map(({ server, phase }) => [phase, server])).toEqual([
      ["result", { server: "test", credential: null }],
      ["call", { server: "test", credential: null }],
      ["result", { server: "test", credential: null }],
    ]);
  });

  test("does not run where there is no listing, no answer to it, or the server is refused", async () => {
    const loop = await listing();
    await loop.open();
    loop.state.tools = "none" as never;
    expect(blockedCode(await loop.call())).toBe("surface_unlisted");
    const refused = await listing((body) => (body.tools === null ? Decision.allow() : Decision.block("removed")));
    await refused.open();
    expect((await refused.call()).result).toMatchObject({ isError: true });
    expect([...loop.state.called, ...refused.state.called]).toEqual([]);
  });
});

describe("a change", () => {
  test("that the server tells of is reported before the next call", async () => {
    const { open, call, reports, state, server, host } = await listing();
    await open();
    await call();
    state.tools = [tool("a", "now with more")];
    server.send(notification("notifications/tools/list_changed"));
    await call();
    expect(reports.at(-1)?.tools).toEqual([tool("a", "now with more")]);
    const before = reports.length;
    await call();
    expect(reports).toHaveLength(before);
    expect(await host.isQuiet(20)).toBe(true);
  });

  test("that the server keeps to itself is caught when the host lists: reported, judged, and shown as it was reported", async () => {
    const { open, host, reports, state } = await listing((body) =>
      JSON.stringify(body.tools).includes("steal") ? held("a") : Decision.allow(),
    );
    await open();
    expect((await host.ask("tools/list")).result.tools).toEqual(state.tools);
    state.tools = [tool("a", "steal"), tool("b")];
    expect((await host.ask("tools/list", undefined, "again")).result.tools).toEqual([tool("b")]);
    expect(reports.at(-1)?.tools).toEqual([tool("a", "steal"), tool("b")]);
  });

  test("for the host alone: what it is shown is what the daemon saw, and nothing else", async () => {
    const { open, host, state, told } = await listing();
    await open();
    let count = 0;
    Object.defineProperty(state, "tools", { get: () => [tool("a", `version ${++count}`), tool("b")] });
    expect((await host.ask("tools/list")).result.tools).toEqual([tool("b")]);
    expect(told.join("")).toMatch(/showed the host another listing than the guard/);
  });
});

test("a host that does not wait for the server to be opened: its calls do, and what the server declared is what is listed", async () => {
  const { host, state } = await listing();
  host.send(request(0, "initialize", { capabilities: {} }));
  host.send(request(1, "tools/call", { name: "a" }));
  expect(await host.answer(1)).toMatchObject({ result: text("done") });
  expect(state.asked).toEqual(["initialize", "tools/list", "tools/call"]);
});

test("what is held is in no list that the host sees, and is named once", async () => {
  const { open, host, told } = await listing((body) => (body.tools === null ? Decision.allow() : held("b")));
  await open();
  expect((await host.ask("tools/list")).result.tools).toEqual([tool("a")]);
  await host.ask("tools/list", undefined, "again");
  expect(told).toEqual(["interlock mcp: held, and not shown to the host: tool b (quarantine: it changed)\n"]);
});

test("held instructions are withheld before anything is listed", async () => {
  const { open, reports } = await listing(() =>
    Decision.modifyResult({ held: [{ kind: "instructions", name: "", action: "quarantine", reason: "hostile" }] }),
  );
  expect((await open()).result).toEqual({ capabilities: { tools: {} }, protocolVersion: "2025-11-25" });
  expect(reports).toMatchObject([{ tools: null, instructions: "be kind" }]);
});

test("a daemon that was started anew is told again, and asked again once", async () => {
  let unknown = 1;
  const { open, call, reports, state, engine } = await listing(undefined, ({ phase, server }) => {
    if (phase !== "call" || server === null || unknown-- <= 0) return Decision.allow();
    const details = { code: "surface_unknown", approval_id: null, transaction_id: null, errors: [], replayed: false };
    return new Decision({ verdict: Verdict.BLOCK, reason: "unknown", details });
  });
  await open();
  await call();
  expect(state.called).toEqual(["a"]);
  expect(reports.filter(({ tools }) => tools !== null)).toHaveLength(2);
  const [first, second] = engine.events.filter(({ phase }) => phase === "call");
  expect(second?.call_id).toBe(first?.call_id);
  unknown = Number.POSITIVE_INFINITY;
  expect(blockedCode(await call())).toBe("surface_unknown");
});

test("a stateless host (2026-07-28): the relay asks as the host asks, and discovers what the host did not", async () => {
  const { host, server, reports } = await (async () => {
    const seen: SurfaceBody[] = [];
    const made = await relayed(undefined, {}, (body) => {
      seen.push(body);
      return Decision.allow();
    });
    return { ...made, reports: seen };
  })();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  host.send(request(1, "tools/call", { name: "a", _meta: { ...meta, progressToken: 1 } }));
  const discover = await server.next();
  expect(discover).toMatchObject({ method: "server/discover", params: { _meta: meta } });
  expect(discover.params._meta).toEqual(meta);
  server.send(answer(discover.id, { capabilities: { tools: {} }, instructions: "x", resultType: "complete" }));
  const list = await server.next();
  expect(list).toMatchObject({ method: "tools/list", params: { _meta: meta } });
  server.send(answer(list.id, { tools: [tool("a")], ttlMs: 5000, cacheScope: "private", resultType: "complete" }));
  expect(await server.next()).toMatchObject({ id: 1, method: "tools/call" });
  server.send(answer(1, { ...text("done"), resultType: "complete" }));
  expect(await host.next()).toMatchObject({ id: 1, result: text("done") });
  expect(reports).toMatchObject([{ tools: [tool("a")], instructions: "x", ttl_ms: 5000 }]);
});
