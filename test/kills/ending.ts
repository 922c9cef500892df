import { verifyChain } from "../../daemon/ledger/test-verify-chain.ts";
import type { TransactionRow } from "../../daemon/store/transaction-rows.ts";
import { demand } from "./broken.ts";
import type { ExactCall } from "./client-life.ts";
import type { DaemonLife } from "./daemon-life.ts";
import { demandOneEffect } from "./heard-log.ts";
import { lease_ms } from "./rules.ts";
import type { Schedule } from "./schedule.ts";

const turns = 40;

/** Nobody is killed any more: all that is under way comes to its end, and then it is looked at as a whole. */
export const endOf = async (schedule: Schedule, name: string): Promise<void> => {
  const { fuse, time, calls, heard } = schedule;
  fuse.disarm();
  schedule.isEnding = true;
  const daemon = await schedule.daemon();
  for (const client of schedule.clients) client.connect(daemon, time.now_ms());
  // What a client sent before it died is taken too.
  await daemon.flush();
  for (let turn = 0; turn < turns && schedule.clients.some((client) => isBusy(client)); turn++) {
    await daemon.flush();
    for (const client of schedule.clients) if (client.attempts.some(isOpen)) schedule.act(client);
    await daemon.settled();
  }
  demandOneEffect(calls, schedule.limit);
  time.pass(lease_ms);
  await daemon.recover(schedule.rules.digest, time.now_ms());
  await demandRows(schedule, daemon, name);
  for (const call of calls) await demandRepeat(schedule, daemon, call, name);
  const receipts = await daemon.receipts();
  const verified = verifyChain(daemon.ledger.chain, receipts, null, () => undefined);
  demand(verified.whole, `the chain is not whole: ${JSON.stringify(verified)}`);
  heard.compare(receipts);
};

const isOpen = ({ stage }: { readonly stage: string }): boolean => stage === "may run" || stage === "ran";

const isBusy = (client: Schedule["clients"][number]): boolean => client.isAsking || client.attempts.some(isOpen);

const rowsOf = async (daemon: DaemonLife, name: string): Promise<readonly TransactionRow[]> =>
  (await daemon.ledger.reads.listTransactions({ status: "all", limit: 100 })).filter(({ call_id }) =>
    call_id?.startsWith(`${name}-`),
  );

const lived = ["authorized", "executed", "failed", "unknown"];

/** Nothing is under way past its lease; what was told to have been recorded is; a grant for one call let one run. */
const demandRows = async (schedule: Schedule, daemon: DaemonLife, name: string): Promise<void> => {
  const rows = await rowsOf(daemon, name);
  demand(
    rows.every(({ status }) => status !== "authorized"),
    "a call is authorized past its lease",
  );
  const statusOf = new Map(rows.map(({ transaction_id, status }) => [transaction_id, status]));
  for (const { call_id, transaction_id, ran, isRecorded } of schedule.attempts) {
    if (!ran || transaction_id === null) continue;
    const status = statusOf.get(transaction_id);
    if (isRecorded) demand(status === "executed", `${call_id}: its result was recorded, and it is ${status}`);
    else demand(status === "executed" || status === "unknown", `${call_id}: it ran, and it is ${status}`);
  }
  for (const row of await daemon.ledger.reads.listApprovals({ status: "all", limit: 100 })) {
    const { approval_id, call_id, scope, status, used_by } = row;
    if (call_id?.startsWith(`${name}-`) !== true || scope !== "once") continue;
    const letRun = rows.filter((other) => other.approval_id === approval_id && lived.includes(other.status));
    const said = `${approval_id} is ${status}, used by ${used_by}, and let ${letRun.length} run`;
    demand(letRun.length === (status === "used" ? 1 : 0), said);
    demand(status !== "used" || letRun[0]?.transaction_id === used_by, said);
  }
};

/** A client that comes new puts the call again. */
const demandRepeat = async (schedule: Schedule, daemon: DaemonLife, call: ExactCall, name: string): Promise<void> => {
  const rows = await rowsOf(daemon, name);
  const statusesOf = new Map(rows.map(({ call_id, status }) => [`${call_id} ${status}`, true]));
  const has = (status: string): boolean =>
    schedule.attempts.some((attempt) => attempt.call === call && statusesOf.has(`${attempt.call_id} ${status}`));
  const client = schedule.newClient(daemon);
  const attempt = schedule.ask(client, call);
  await daemon.flush();
  await daemon.flush();
  const { code } = attempt;
  const said = `a repeat of a call that ran ${call.effects} times was told ${code}`;
  if (has("executed")) demand(code === "replayed", said);
  else if (has("unknown")) demand(code === "outcome_unknown", said);
  else demand(call.effects === 0, said);
  if (attempt.stage === "may run") {
    // It dies here. Its call is unknown once its lease is over, and free to nobody.
    schedule.clients = schedule.clients.filter((other) => other !== client);
    schedule.time.pass(lease_ms);
    await daemon.recover(schedule.rules.digest, schedule.time.now_ms());
    await demandRepeat(schedule, daemon, call, name);
  }
};
