// `npm run demo:refund`: a refund of 1500 that a person has to approve, in five steps, and one for the wrong customer. Exit code 0
// only if each step did what it should.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  BlockedError,
  enforceToolResult,
  guardToolMap,
  NotApprovedError,
  RemoteEngine,
  resumeToolCall,
} from "interlock-guard";
import { interlock, kill, startSidecar } from "./quickstart/daemon.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "il-demo-")));
const at = (name: string): string => join(directory, name);
// The user's own configuration and operators are neither read nor written.
process.env.INTERLOCK_HOME = directory;

const say = (line: string): void => {
  process.stdout.write(`${line.replaceAll(directory, "$TMP")}\n`);
};
const indented = (text: string): void => say(text.trimEnd().replace(/^/gm, "   "));

/** The tool. Its line appears where money moves, and nowhere else. */
interface Refund {
  readonly order_id: string;
  readonly customer: string;
  readonly amount: number;
  readonly reason: string;
}
const refund = ({ order_id, amount }: Refund) => {
  say(`   [shop] refunding $${amount} for ${order_id}`);
  return { refunded: true, amount };
};

/** The call must be refused; the error. */
const refusal = async <E extends BlockedError>(
  call: Promise<unknown>,
  kind: new (...args: never[]) => E,
): Promise<E> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error("the call ran, and had to be refused");
};

const setUp = async (): Promise<void> => {
  await interlock("keygen", at("rules.key"));
  const rules = fileURLToPath(new URL("demo-refund/rules.ts", import.meta.url));
  await interlock("rules", "sign", rules, "--key", at("rules.key"), "--out", at("rules.ruleset.json"));
  writeFileSync(
    at("interlock.yaml"),
    "socket: run/guard.sock\nstate: state\nrules: [rules.ruleset.json]\ntrust: [rules.key.pub]\nunknown: block\n",
  );
  await interlock("operators", "add", "olga", "--role", "finance");
};

const demonstrate = async (): Promise<void> => {
  const engine = new RemoteEngine(join(directory, "run", "guard.sock"));
  const agent = { engine, principal: "support-agent" };
  const tools = guardToolMap({ refund }, agent);
  const call: Refund = {
    order_id: "ORD-42",
    customer: "C-7",
    amount: 1500,
    reason: "arrived broken, photos in ticket 42",
  };

  say("1. The agent submits a refund of $1500");
  const pending = await refusal(tools.refund(call), NotApprovedError);
  indented(pending.message);
  const { approvalId, callId } = pending;
  if (approvalId === null || callId === null) throw new Error("no approval was made");

  say("2. An operator lists what is waiting");
  indented(await interlock("approvals", "list"));

  say("3. The operator grants it");
  indented(await interlock("approvals", "grant", approvalId, "--note", "checked ticket 42"));

  say("4. The agent resumes the call");
  const resumed = { ...agent, callId };
  const args = (await resumeToolCall("refund", { approvalId, callId }, resumed)) as unknown as Refund;
  indented(JSON.stringify(await enforceToolResult("refund", refund(args), resumed)));

  say("5. The receipts");
  indented(await interlock("receipts", "tail", "-n", "20"));
  indented((await interlock("receipts", "verify")).split("\n")[0] ?? "");

  say("And the order of somebody else:");
  const wrong = await refusal(tools.refund({ ...call, order_id: "ORD-43", amount: 90 }), BlockedError);
  indented(wrong.message);
  await engine.close();
};

const main = async (): Promise<void> => {
  await setUp();
  const daemon = await startSidecar([]);
  try {
    await demonstrate();
  } finally {
    await kill(daemon);
    rmSync(directory, { recursive: true, force: true });
  }
};

await main().catch((error: Error) => {
  process.stdout.write(`FAIL  ${error.message}\n`);
  process.exitCode = 1;
});
