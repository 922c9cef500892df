import type { Outcome } from "../coordination/coordination.ts";
import type { OpenLedger } from "../ledger/record.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import { resultPlace } from "./places.ts";

/** What the store says became of a transaction, for those who share claims with it: null where it knows none of that id. */
export const outcomesOf =
  (ledger: Pick<OpenLedger, "reads" | "openBox">, now_ms: () => number) =>
  (transaction_id: string): Maybe<Outcome | "authorized" | null> =>
    runSteps(outcomeOf(ledger, transaction_id, now_ms()));

function* outcomeOf(
  ledger: Pick<OpenLedger, "reads" | "openBox">,
  transaction_id: string,
  now_ms: number,
): Steps<Outcome | "authorized" | null> {
  const row = yield* step(ledger.reads.findTransaction(transaction_id));
  switch (row?.status) {
    case undefined:
      return null;
    case "authorized":
      return "authorized";
    case "unknown":
      return { kind: "unknown" };
    case "executed":
      return { kind: "executed", result: yield* step(ledger.openBox(resultPlace(transaction_id), now_ms)) };
    case "blocked":
    case "pending_approval":
    case "failed":
      return { kind: "released" };
  }
}
