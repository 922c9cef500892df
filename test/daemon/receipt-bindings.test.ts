import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { enforceToolCall, enforceToolResult, guardToolMap, RemoteEngine } from "../../client-node/index.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { openCommitment } from "../../daemon/ledger/open-commitment.ts";
import type { DecisionReceipt2 } from "../../daemon/ledger/parse-receipt.ts";
import { canonical } from "../../wire/canonical.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { start, until } from "../kit/processes.ts";
import { refundModule } from "../kit/refunds.ts";
import { plainRule } from "../kit/rules.ts";

const source =
  `${refundModule({ version: 4 }).replace("policies: [", `rules: [${plainRule()}],\n  policies: [`)}`.replace(
    'import { defineRules } from "interlock/rules";',
    'import { allow, block, defineRules } from "interlock/rules";',
  );

const refund = { order_id: "o1", customer_id: "c1", amount: 5 };
const whole = { ...refund, note: "none", request_id: "none" };

let daemon: Daemon | null = null;
afterEach(async () => {
  await daemon?.stop();
  daemon = null;
});

const started = async (): Promise<Place> => {
  const place = await makePlace(source);
  daemon = await startDaemon(place);
  return place;
};

const decisionsOf = async (place: Place): Promise<readonly DecisionReceipt2[]> =>
  (await receiptsOf(place)).filter(({ kind }) => kind === "decision") as unknown as readonly DecisionReceipt2[];

const saltsOf = async (place: Place, seq: number): Promise<{ salt: string; final_salt: string }> =>
  JSON.parse((await interlock(place, ["receipts", "show", String(seq), "--salt", "--json"])).stdout);

test("a call and its result: contract, policies, rules, grade and client, and each value by a salt of its own", async () => {
  const place = await started();
  const engine = new RemoteEngine(place.socket, { timeout: 10 });
  const { refund: pay } = guardToolMap({ refund: async (_args: object) => ({ paid: true }) }, { engine });
  expect(await pay(refund)).toEqual({ paid: true });
  const [call, result] = await decisionsOf(place);
  await engine.close();

  expect(call).toMatchObject({
    v: 2,
    verdict: "MODIFY",
    code: "rewritten",
    client: expect.stringMatching(/^interlock-guard\/\S+ node\//),
    grade: "async/enforce",
    contract: "refunds@4/refund",
    policies: ["refunds@4"],
    rules_version: 4,
    identity: null,
    scope: null,
    surface: null,
    offline: null,
    decided: null,
    response_commitment: null,
  });
  expect(result).toMatchObject({
    phase: "result",
    verdict: "ALLOW",
    grade: "async/enforce",
    args_commitment: null,
    final_commitment: null,
    contract: null,
    policies: [],
    decided: call?.seq,
    call_id: call?.call_id,
    transaction_id: call?.transaction_id,
  });

  if (call === undefined || result === undefined) throw new Error("not recorded");
  const [callSalts, resultSalts] = [await saltsOf(place, call.seq), await saltsOf(place, result.seq)];
  expect(openCommitment(call, "arguments", callSalts.salt, canonical(refund))).toBe(true);
  expect(openCommitment(call, "final", callSalts.final_salt, canonical(whole))).toBe(true);
  expect(openCommitment(call, "final", callSalts.salt, canonical(whole))).toBe(false);
  expect(openCommitment(result, "response", resultSalts.salt, canonical({ paid: true }))).toBe(true);

  // One value can be made unprovable, and the other stays provable.
  const erased = await interlock(place, ["receipts", "erase", String(call.seq), "--field", "arguments"]);
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringContaining("the salt of its arguments is erased")]);
  expect(await saltsOf(place, call.seq)).toMatchObject({ salt: null, final_salt: callSalts.final_salt });
  const none = await interlock(place, ["receipts", "erase", String(call.seq), "--field", "response"]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("has no salt of the response")]);
  expect((await interlock(place, ["receipts", "erase", String(call.seq), "--field", "all"])).code).toBe(2);
});

test("what a client merges is committed to as it will have it, and a client of version 1 said neither name nor grade", async () => {
  const place = await started();
  const connection = await RawConnection.open(place.socket);
  connection.send(Buffer.from(`{"event":{"action":"refund","args":${canonical(refund)}},"id":"1","v":1}\n`));
  const answer = JSON.parse((await connection.line(10_000)).toString());
  expect(answer.modified_args).toEqual({ note: "none", request_id: "none" });
  connection.send(Buffer.from('{"event":{"action":"refund","args":{"paid":true},"phase":"result"},"id":"2","v":1}\n'));
  await connection.line(10_000);
  const [call, result] = await decisionsOf(place);
  if (call === undefined) throw new Error("not recorded");
  expect(call).toMatchObject({ client: null, grade: null, session: null });
  const { final_salt } = await saltsOf(place, call.seq);
  expect(openCommitment(call, "final", final_salt, canonical(whole))).toBe(true);
  // It has no call id: its result is of the one call of that action on its connection.
  expect(result).toMatchObject({ phase: "result", call_id: null, decided: call.seq });
});

test("a result, an outcome and a resume name the receipt that decided their call; another's, and an unknown one's, name none", async () => {
  const place = await started();
  const engine = new RemoteEngine(place.socket, { timeout: 10 });
  const failing = guardToolMap(
    {
      refund: async (_args: object): Promise<never> => {
        throw new TypeError("no");
      },
    },
    { engine },
  );
  await expect(failing.refund({ ...refund, amount: 6 })).rejects.toThrow("no");
  // No contract, and no transaction: known by session, id and action.
  await enforceToolCall("plain", { n: 1 }, { engine, callId: "plain-1", enforcement: "monitor" });
  await enforceToolResult("plain", "done", { engine, callId: "plain-1", enforcement: "monitor" });
  await enforceToolResult("other", "done", { engine, callId: "plain-1" });
  const stranger = new RemoteEngine(place.socket, { timeout: 10 });
  await enforceToolResult("plain", "done", { engine: stranger, callId: "plain-1" });
  await stranger.close();
  const asked = await engine.evaluate({ action: "refund", args: { ...refund, amount: 600 }, call_id: "large" });
  const approval_id = asked.details?.approval_id ?? "";
  await engine.resume(approval_id, { callId: "large", action: "refund" });
  await engine.close();

  const decisions = await decisionsOf(place);
  const seqs = decisions.map(({ seq }) => seq);
  expect(decisions.map(({ action, decided }) => [action, decided])).toEqual([
    ["refund", null],
    ["interlock.outcome", seqs[0]],
    ["plain", null],
    ["plain", seqs[2]],
    ["other", null],
    ["plain", null],
    ["refund", null],
    ["refund", seqs[6]],
  ]);
  expect(decisions.map(({ grade }) => grade).slice(2, 4)).toEqual(["async/monitor", "async/monitor"]);
  expect(decisions[1]).toMatchObject({ args_commitment: null, response_commitment: expect.any(String) });
});

test("a proof is checked against a call by the log's key alone", async () => {
  const place = await started();
  const engine = new RemoteEngine(place.socket, { timeout: 10 });
  await enforceToolCall("plain", { n: 1 }, { engine, callId: "plain-1" });
  await engine.close();
  const [call] = await decisionsOf(place);
  const seq = String(call?.seq);
  const { salt } = await saltsOf(place, Number(seq));
  const proof = join(place.home, "proof.json");
  await until("a checkpoint covers it", async () => {
    const { code, stdout } = await interlock(place, ["receipts", "prove", seq]);
    if (code === 0) writeFileSync(proof, stdout);
    return code === 0;
  });
  const context = join(place.home, "context.json");
  const check = (known: object, key: string) => {
    writeFileSync(context, JSON.stringify({ action: "plain", call_id: "plain-1", ...known }));
    return interlock({ env: {} }, ["receipts", "check", proof, "--context", context, "--key", key]);
  };
  const key = join(place.state, "receipts.key.pub");
  expect(await check({ arguments: { n: 1 }, salt }, key)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`receipt ${seq}: verified`),
  });
  expect(await check({ args_commitment: call?.args_commitment }, key)).toMatchObject({ code: 0 });
  expect(await check({ arguments: { n: 1 } }, key)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("context_incomplete: salt"),
  });
  expect(await check({ arguments: { n: 2 }, salt }, key)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("context_mismatch: arguments"),
  });
  expect(await check({ arguments: { n: 1 }, salt }, place.trust)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("chain_failed"),
  });
});

test("a guarded process tells its synchronous calls from those that do not wait", async () => {
  const place = await started();
  const program = join(place.home, "program.mjs");
  const client = new URL("../../client-node/dist/client-node/index.js", import.meta.url).href;
  writeFileSync(
    program,
    `import { installInterceptors, RemoteEngine } from ${JSON.stringify(client)};
import fs from "node:fs";
installInterceptors({ engine: new RemoteEngine(${JSON.stringify(place.socket)}, { timeout: 10 }) });
fs.readFileSync(${JSON.stringify(place.rules)});
await fs.promises.readFile(${JSON.stringify(place.rules)});
process.exit(0);
`,
  );
  const ended = await start(program, [], { env: {} }).ended;
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  const grades = (await decisionsOf(place)).map(({ action, grade }) => `${action} ${grade}`);
  expect(grades).toEqual(expect.arrayContaining(["fs.readFile sync/enforce", "fs.readFile async/enforce"]));
});

test("a result after the daemon was killed names the receipt of before", async () => {
  const place = await started();
  const engine = new RemoteEngine(place.socket, { timeout: 20, grace_ms: 10_000 });
  await enforceToolCall("plain", { n: 1 }, { engine, callId: "plain-1" });
  await enforceToolCall("refund", refund, { engine, callId: "refund-1" });
  await daemon?.kill();
  daemon = await startDaemon(place);
  await enforceToolResult("plain", "done", { engine, callId: "plain-1" });
  await enforceToolResult("refund", { paid: true }, { engine, callId: "refund-1" });
  await engine.close();
  const decisions = await decisionsOf(place);
  const [plain, paid] = decisions.map(({ seq }) => seq);
  expect(decisions.map(({ decided }) => decided)).toEqual([null, null, plain, paid]);
});
