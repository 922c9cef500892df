import { client, programOf } from "../../intercept/programs.ts";

/**
 * A client process that pays, and is killed: `SOCKET EFFECTS APPROVALS SEED`. It puts calls of a few amounts over and over, each
 * time under a new call id, and resumes what it, or one before it, was told an approval of. What it runs is a line in EFFECTS.
 */
export const payingClient = (): string =>
  programOf(`
import { appendFileSync, readFileSync } from "node:fs";
import {
  BlockedError, enforceToolCall, enforceToolResult, NotApprovedError, RemoteEngine, reportOutcome, resumeToolCall,
} from ${JSON.stringify(client)};

const [socket, effects, approvals, seed] = process.argv.slice(2);
let state = Number(seed);
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
};
const pause = (most_ms) => new Promise((resolve) => setTimeout(resolve, below(most_ms)));
const engine = new RemoteEngine(socket, { principal: "agent", timeout: 8, grace_ms: 8000 });
const order = { order_id: "o2", customer_id: "c2", note: "n", request_id: "r" };
// So many that there is always one which nobody has paid yet; every third has to be approved.
const amountOf = (one) => (one % 3 === 0 ? 900 + one : 1 + one);

const noted = () => {
  try {
    return readFileSync(approvals, "utf8").trim().split("\\n").map((line) => JSON.parse(line));
  } catch {
    return [];
  }
};

const run = async (amount, callId, ask) => {
  try {
    await ask();
  } catch (error) {
    if (error instanceof NotApprovedError && error.approvalId !== null) {
      const { approvalId } = error;
      appendFileSync(approvals, JSON.stringify({ amount, approvalId, callId }) + "\\n");
    } else if (!(error instanceof BlockedError)) throw error;
    return;
  }
  await pause(40);
  if (below(8) === 0) {
    await reportOutcome({ status: "failed", error: new RangeError() }, { engine, principal: "agent", callId });
    return;
  }
  appendFileSync(effects, amount + " " + callId + "\\n");
  await pause(40);
  try {
    await enforceToolResult("refund", { paid: amount }, { engine, principal: "agent", callId });
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
  }
};

for (let count = 0; ; count++) {
  const left = noted();
  if (left.length > 0 && below(3) === 0) {
    const { amount, approvalId, callId } = left[below(left.length)];
    await run(amount, callId, () =>
      resumeToolCall("refund", { approvalId, callId }, { engine, principal: "agent", callId }));
  } else {
    const amount = amountOf(below(150));
    const callId = process.pid + "-" + count;
    await run(amount, callId, () =>
      enforceToolCall("refund", { ...order, amount }, { engine, principal: "agent", callId }));
  }
  await pause(20);
}
`);
