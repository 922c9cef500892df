import type { ControlRecord, OpenLedger } from "../ledger/record.ts";
import type { Maybe, Steps } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { type Recovered, recover } from "./recover.ts";

/** What time has settled, written and noted in the chain in one store transaction. Throws StoreFailed. */
export const recoverNow = (
  ledger: Pick<OpenLedger, "change">,
  rules: string,
  now_ms: number,
): Maybe<readonly Recovered[]> => ledger.change((tx, note) => recoverAndNote(tx, note, rules, now_ms));

function* recoverAndNote(
  tx: StoreTx,
  note: (record: ControlRecord) => Steps<void>,
  rules: string,
  now_ms: number,
): Steps<readonly Recovered[]> {
  const recovered = yield* recover(tx, now_ms);
  for (const change of recovered) {
    const said =
      change.kind === "unknown"
        ? ({ event: "transaction_unknown", detail: change.transaction.transaction_id } as const)
        : ({ event: "approval_expired", detail: change.approval.approval_id } as const);
    yield* note({ time_ms: now_ms, rules, rules_before: rules, ...said });
  }
  return recovered;
}

/** Transactions of which nobody knows any more whether they ran. */
export const becameUnknown = (recovered: readonly Recovered[]): readonly string[] =>
  recovered.flatMap((change) => (change.kind === "unknown" ? [change.transaction.transaction_id] : []));

/** So many calls may be under way at a start; a result of one beyond them closes nothing, and its call becomes unknown. */
const maxOpenAtStart = 100_000;

/** The call ids that a result may still close. Throws StoreFailed. */
export const openCallIds = async ({ reads }: Pick<OpenLedger, "reads">): Promise<readonly string[]> => {
  const limit = maxOpenAtStart;
  const rows = [
    ...(await reads.listTransactions({ status: "authorized", limit })),
    ...(await reads.listTransactions({ status: "unknown", limit })),
  ];
  return rows.flatMap(({ call_id }) => (call_id === null ? [] : [call_id]));
};
