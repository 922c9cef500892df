import fc from "fast-check";
import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError, ReplayedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { enforceToolResult } from "./enforce-result.ts";
import { guardMcpSession } from "./guard-mcp-session.ts";
import type { Replay } from "./guard-options.ts";
import { guardToolMap, guardToolRunner } from "./guard-tools.ts";
import { recordedForm, recordedResult } from "./replay.ts";
import { detailsOf } from "./testing/approving-daemon.ts";
import { engineFor, reasonOf, scripted } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";
import { everyFeature, judging } from "./testing/scripted-daemon.ts";

const replayed = detailsOf("replayed", { replayed: true, transaction_id: "tx_first" });
const replay = (modified_result: unknown, changes: object = {}) => ({
  verdict: 1,
  reason: "it ran before",
  modified_result,
  details: replayed,
  ...changes,
});

const replaying = async (recorded: unknown) => {
  const daemon = await scripted(judging(({ phase }) => (phase === "call" ? replay(recorded) : {})));
  return { daemon, engine: engineFor(daemon.path) };
};

const thrown = (call: Promise<unknown>): Promise<ReplayedError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

test("a replay is a BlockedError that has the recorded result and the transaction that ran", async () => {
  const { engine } = await replaying({ paid: 5 });
  const error = await thrown(enforceToolCall("refund", { eur: 5 }, { engine }));
  expect(error).toBeInstanceOf(ReplayedError);
  expect(error).toBeInstanceOf(BlockedError);
  expect(error).not.toBeInstanceOf(NotApprovedError);
  expect(error).toMatchObject({
    name: "ReplayedError",
    action: "refund",
    message: "blocked action 'refund': it ran before",
    result: { paid: 5 },
    transactionId: "tx_first",
  });
  expect(error.decision.verdictName).toBe("BLOCK");
  expect(engine.stats).toMatchObject({ replayed: 1, answered: 1 });
});

test("a replay whose result was withheld is a BlockedError, and no result is made up for it", async () => {
  const { engine } = await replaying(null);
  const error = await thrown(enforceToolCall("refund", {}, { engine }));
  expect(error.name).toBe("BlockedError");
  expect(error).not.toBeInstanceOf(ReplayedError);
  const tools = guardToolMap({ refund: (): never => expect.unreachable() }, { engine });
  expect(await reasonOf(tools.refund())).toBe("it ran before");
});

test("guardToolMap and guardToolRunner deliver the recorded result, say so, and run nothing", async () => {
  const { daemon, engine } = await replaying({ result: "paid 5" });
  const replays: Replay[] = [];
  const onReplay = (seen: Replay): void => void replays.push(seen);
  const tools = guardToolMap({ refund: (_: object): string => expect.unreachable() }, { engine, onReplay });
  expect(await tools.refund({ eur: 5 })).toBe("paid 5");
  const run = guardToolRunner((): string => expect.unreachable(), { engine, onReplay });
  expect(await run("pay", {})).toBe("paid 5");
  expect(replays).toEqual([
    { action: "refund", transactionId: "tx_first" },
    { action: "pay", transactionId: "tx_first" },
  ]);
  // Neither a result nor an outcome: what ran is closed already.
  expect(daemon.peers[0]?.lines.length).toBe(3);
});

test("guardMcpSession delivers the recorded result with the transaction that ran in its _meta", async () => {
  const unreachable = (_: object): Promise<unknown> => expect.unreachable();
  const session = (recorded: unknown, seen: Replay[] = []) =>
    replaying(recorded).then(({ engine }) => {
      const client = { callTool: unreachable, readResource: unreachable, getPrompt: unreachable };
      return guardMcpSession(client, { engine, onReplay: (replay) => void seen.push(replay) });
    });
  const seen: Replay[] = [];
  const content = [{ type: "text", text: "paid" }];
  const client = await session({ content, _meta: { trace: "t" } }, seen);
  expect(await client.callTool({ name: "pay", arguments: { eur: 5 } })).toEqual({
    content,
    _meta: { trace: "t", "interlock/replayed": "tx_first" },
  });
  expect(await client.readResource({ uri: "file:///a" })).toMatchObject({ content });
  expect(await client.getPrompt({ name: "p" })).toMatchObject({ content });
  expect(seen.map(({ action }) => action)).toEqual(["pay", "mcp.read_resource", "mcp.get_prompt"]);
  const odd = await session({ content, _meta: "none" });
  expect(await odd.callTool({ name: "pay" })).toEqual({ content, _meta: { "interlock/replayed": "tx_first" } });
  // What a result rule put in the place of a result has no place for a mark; `onReplay` tells of it all the same.
  expect(await (await session({ result: "withdrawn" })).callTool({ name: "pay" })).toBe("withdrawn");
});

test("an `onReplay` that throws keeps the result back", async () => {
  const { engine } = await replaying({ result: 1 });
  const onReplay = (): never => {
    throw new RangeError("secret");
  };
  const tools = guardToolMap({ refund: (): never => expect.unreachable() }, { engine, onReplay });
  const error = await thrown(tools.refund());
  expect(error.name).toBe("BlockedError");
  expect(error.message).toBe("blocked action 'refund': `onReplay` threw RangeError");
});

test("monitor runs the call and reports nothing for what was not authorized", async () => {
  const { engine } = await replaying({ result: 1 });
  expect(await enforceToolCall("refund", { eur: 1 }, { engine, enforcement: "monitor" })).toEqual({ eur: 1 });
});

const wrong: Record<string, object> = {
  "a replay as ALLOW": replay(null, { verdict: 0 }),
  "a replay as MODIFY": replay({ a: 1 }, { verdict: 2 }),
  "a replay with arguments to run": replay(null, { modified_args: { eur: 1 } }),
  "a replay of no transaction": replay({ a: 1 }, { details: { ...replayed, transaction_id: null } }),
  "a replay of another code": replay({ a: 1 }, { details: { ...replayed, code: "rule_blocked" } }),
  "a result in a BLOCK that is no replay": replay({ a: 1 }, { details: detailsOf("rule_blocked") }),
};
for (const [name, fields] of Object.entries(wrong)) {
  test(`${name} is a bad answer, from a daemon and from an engine of one's own`, async () => {
    const daemon = await scripted(judging(() => fields));
    const remote = engineFor(daemon.path);
    expect(await reasonOf(enforceToolCall("refund", {}, { engine: remote }))).toMatch(/\(bad_request\).*replay/);
    const own = recordingEngine(() => new Decision(fields as never));
    expect(await reasonOf(enforceToolCall("refund", {}, { engine: own }))).toMatch(/^the guard answered/);
  });
}

test("a result that is answered with a replay is not delivered", async () => {
  const engine = recordingEngine(() => new Decision(replay({ a: 1 }) as never));
  expect(await reasonOf(enforceToolResult("refund", 1, { engine }))).toBe("the guard answered a result with a replay");
});

test("an intercepted effect has no recorded result: a replay blocks it", async () => {
  const { makeGuard } = await import("./intercept/ask.ts");
  const engine = recordingEngine(() => new Decision(replay({ a: 1 }) as never));
  const syncEngine = { evaluateSync: () => new Decision(replay({ a: 1 }) as never) };
  const guard = makeGuard({ engine, syncEngine, enforcement: "blocking", principal: null });
  expect((await thrown(guard.ask("fs.writeFile", {}))).name).toBe("BlockedError");
  expect(() => guard.askSync("fs.writeFileSync", {})).toThrow(BlockedError);
});

test("where replays were agreed on, a result is put in a form that can be given back", async () => {
  const daemon = await scripted(judging(() => ({})));
  const engine = engineFor(daemon.path);
  for (const result of [{ paid: 5 }, 5, null, [1], { result: 5 }, { result: { result: 5 } }, { result: 1, more: 2 }]) {
    await enforceToolResult("refund", result, { engine });
  }
  expect(daemon.peers[0]?.lines.slice(1).map((line) => JSON.parse(line).event.args)).toEqual([
    { paid: 5 },
    { result: 5 },
    { result: null },
    { result: [1] },
    { result: { result: 5 } },
    { result: { result: { result: 5 } } },
    { result: 1, more: 2 },
  ]);
});

test("where they were not, it is put as it always was", async () => {
  const daemon = await scripted(
    judging(
      () => ({}),
      everyFeature.filter((name) => name !== "replay"),
    ),
  );
  const engine = engineFor(daemon.path);
  await engine.evaluate({ action: "hello" });
  expect(engine.replays).toBe(false);
  await enforceToolResult("refund", { result: 5 }, { engine });
  expect(JSON.parse(daemon.peers[0]?.lines[2] as string).event.args).toEqual({ result: 5 });
});

test("any result that JSON carries comes back from its recorded form as it was", () => {
  const value = fc.oneof(fc.jsonValue(), fc.record({ result: fc.jsonValue() }));
  fc.assert(
    fc.property(value, (result) => {
      expect(recordedResult(recordedForm(result))).toEqual(result);
    }),
  );
});

test("errors of one copy of the package are those of another", () => {
  const decision = new Decision({ verdict: Verdict.BLOCK });
  const error = new ReplayedError(decision, "a", 1, "tx_1");
  expect(error instanceof BlockedError).toBe(true);
  expect(error instanceof NotApprovedError).toBe(false);
  expect(new BlockedError(decision, "a") instanceof ReplayedError).toBe(false);
});
