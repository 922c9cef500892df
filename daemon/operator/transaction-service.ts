import type { Steps } from "../store/steps.ts";
import type { StoreTx, TransactionFilter, TransactionRow } from "../store/transaction-rows.ts";
import { isRequester } from "../transactions/approvals/vote.ts";
import { type ResolveOutcome, resolveUnknown } from "../transactions/resolve-unknown.ts";
import type { Note, OperatorPlane } from "./operator-ledger.ts";
import { type OperatorRefusal, OperatorRefused } from "./refusal.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** A transaction as an operator sees it: without the keyed hashes that stand for its arguments. Frozen. */
export type TransactionView = Omit<TransactionRow, "fingerprint" | "claim_key" | "claim_window_ms">;

type Resolved = ResolveOutcome | { readonly ok: false; readonly code: OperatorRefusal };

/** What operators do about transactions. Everything throws OperatorRefused; then nothing was changed. */
export class TransactionService {
  readonly #plane: OperatorPlane;

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  list(filter: TransactionFilter): Promise<readonly TransactionView[]> {
    return storeOrRefused(async () => (await this.#plane.ledger.reads.listTransactions(filter)).map(viewOf));
  }

  show(transaction_id: string): Promise<TransactionView> {
    return storeOrRefused(async () => {
      const row = await this.#plane.ledger.reads.findTransaction(transaction_id);
      if (row === null) throw new OperatorRefused("not_found");
      return viewOf(row);
    });
  }

  /**
   * An operator's word on a call of which nobody knows whether it ran. `failed` lets it run again: whoever asked for it
   * does not say so.
   */
  resolve(operator: Operator, transaction_id: string, as: "executed" | "failed"): Promise<TransactionView> {
    const now_ms = this.#plane.now_ms();
    const rules = this.#plane.rules();
    return storeOrRefused(async () => {
      const outcome = await this.#plane.ledger.change(function* (tx: StoreTx, note: Note): Steps<Resolved> {
        const outcome = yield* resolveUnknown(tx, transaction_id, as, now_ms);
        if (!outcome.ok) return outcome;
        // Thrown, so that what was changed is not.
        if (isRequester(outcome.transaction, operator.name)) throw new OperatorRefused("is_requester");
        const detail = `${transaction_id} resolved as ${as} by operator:${operator.name}`;
        yield* note({ time_ms: now_ms, event: "transaction_resolved", rules, rules_before: rules, detail });
        return outcome;
      });
      if (!outcome.ok) throw new OperatorRefused(outcome.code);
      this.#plane.resolved(transaction_id, as);
      return viewOf(outcome.transaction);
    });
  }
}

const viewOf = ({ fingerprint, claim_key, claim_window_ms, ...view }: TransactionRow): TransactionView =>
  Object.freeze(view);
