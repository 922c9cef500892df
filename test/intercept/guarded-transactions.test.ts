import { expect, test } from "vitest";
import { ApprovalBook, approving, detailsOf } from "../../client-node/testing/approving-daemon.ts";
import { pause, scripted } from "../../client-node/testing/asking.ts";
import { answerTo, everyFeature, judging, welcome } from "../../client-node/testing/scripted-daemon.ts";
import { client, esmHook, programOf, runProgram, saidBy } from "./programs.ts";

/** The program's own use of the package, in a process whose guard is another copy of it. */
const using = (text: string): string =>
  programOf(`
    const guard = await import(process.env.CLIENT);
    const engine = new guard.RemoteEngine(process.env.INTERLOCK_SOCKET);
    const said = [];
    ${text}
    console.log(JSON.stringify(said));
  `);

const runGuarded = (path: string, program: string) =>
  runProgram(["--import", esmHook], program, { INTERLOCK_SOCKET: path, CLIENT: client });

test("in a guarded process outcomes and approvals go over the guard's own connection", async () => {
  const book = new ApprovalBook(["refund"]);
  const daemon = await scripted(approving(book));
  const program = using(`
    class CardDeclined extends Error { name = "CardDeclined"; }
    const tools = guard.guardToolMap({
      refund: ({ eur }) => "refunded " + eur,
      pay: () => { throw new CardDeclined("no"); },
    }, { engine, escalate: "wait", escalateDeadline_ms: 20_000 });
    said.push(await tools.pay().catch((error) => error.name), await tools.refund({ eur: 1500 }));
    const other = { approvalId: "ap_none", callId: "none" };
    said.push(await guard.resumeToolCall("refund", other, { engine }).catch((error) => error instanceof guard.BlockedError && error.decision.details.code));
  `);
  const ended = runGuarded(daemon.path, program);
  while (book.kept.size === 0) await pause(10);
  book.settle("refund", "granted");
  expect(saidBy(await ended)).toEqual(["CardDeclined", "refunded 1500", "approval_other_call"]);
  // Node's own effects are answered with a transaction too here, and are told nothing more of.
  expect(book.of("outcome")).toMatchObject([{ status: "failed", error_type: "CardDeclined" }]);
  expect(daemon.peers.length).toBe(1);
});

test("in a guarded process a replay is delivered, and a result is put as the daemon agreed", async () => {
  for (const [features, sent] of [
    [everyFeature, { result: { result: 5 } }],
    [everyFeature.filter((name) => name !== "replay"), { result: 5 }],
  ] as const) {
    const results: object[] = [];
    const details = detailsOf("replayed", { replayed: true, transaction_id: "tx_1" });
    const replay = { verdict: 1, modified_result: features.includes("replay") ? { result: "paid" } : null, details };
    const daemon = await scripted(
      judging(({ action, phase, args }) => {
        if (phase === "result") results.push(args);
        return action === "pay" ? replay : {};
      }, features),
    );
    const program = using(`
      const tools = guard.guardToolMap({ pay: () => "paid twice", five: () => ({ result: 5 }) }, { engine });
      said.push(await tools.pay().catch((error) => error.name), await tools.five());
    `);
    const first = features.includes("replay") ? "paid" : "BlockedError";
    expect(saidBy(await runGuarded(daemon.path, program))).toEqual([first, { result: 5 }]);
    expect(results).toEqual([sent]);
  }
});

test("in a guarded process a daemon that is lost between verdict and outcome hides no error of the tool's", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      if (frame.outcome !== undefined) peer.send("{nope}\n");
      else peer.send(answerTo(frame.id, { details: detailsOf("allowed", { transaction_id: "tx_1" }) }));
    }
  });
  const program = using(`
    const tools = guard.guardToolMap({ pay: () => { throw new RangeError("no"); } }, { engine });
    said.push(await tools.pay().catch((error) => error.name));
  `);
  expect(saidBy(await runGuarded(daemon.path, program))).toEqual(["RangeError"]);
});
