import type { DecisionReceipt } from "../parse-receipt.ts";

/** What later receipts of the same action and principal are of. Every later receipt of them is counted in one of these. */
export interface LaterCalls {
  readonly executed: {
    /** Calls that were let run: allowed or rewritten, or whatever the verdict where the client says that it only monitors. */
    readonly let_run: number;
    /** Results: each says that an effect came about, whatever was decided about its delivery. */
    readonly reported: number;
  };
  /** Calls that were refused, as far as their clients act on a refusal. */
  readonly blocked_attempts: number;
  /** Calls that asked for a yes, waited, or were answered with an earlier result. */
  readonly other: number;
  /** The first receipt and the last that are counted; null where none is. */
  readonly first: number | null;
  readonly last: number | null;
}

type Kind = "let_run" | "reported" | "blocked_attempts" | "other";

/** Not run, and not refused either: it waits for somebody, or had its answer already. */
const otherCodes: ReadonlySet<string> = new Set(["replayed", "in_flight", "approval_pending"]);

const kindOf = (receipt: DecisionReceipt): Kind => {
  // A response that was withheld or redacted is no blocked attempt: its call ran.
  if (receipt.phase === "result") return "reported";
  // Whoever monitors acts on no verdict.
  const isMonitored = receipt.v === 2 && receipt.grade?.endsWith("/monitor") === true;
  if (isMonitored || receipt.verdict === "ALLOW" || receipt.verdict === "MODIFY") return "let_run";
  return receipt.verdict === "ESCALATE" || otherCodes.has(receipt.code) ? "other" : "blocked_attempts";
};

/** Did anything run after we knew? Takes the receipts after one, in order, and counts those of its action and principal. */
export class LaterCallsCount {
  readonly #counts: Record<Kind, number> = { let_run: 0, reported: 0, blocked_attempts: 0, other: 0 };
  readonly #of: Pick<DecisionReceipt, "action" | "principal">;
  #first: number | null = null;
  #last: number | null = null;

  constructor(of: Pick<DecisionReceipt, "action" | "principal">) {
    this.#of = of;
  }

  take(receipt: DecisionReceipt): void {
    if (receipt.action !== this.#of.action || receipt.principal !== this.#of.principal) return;
    this.#counts[kindOf(receipt)] += 1;
    this.#first ??= receipt.seq;
    this.#last = receipt.seq;
  }

  report(): LaterCalls {
    const { let_run, reported, blocked_attempts, other } = this.#counts;
    return { executed: { let_run, reported }, blocked_attempts, other, first: this.#first, last: this.#last };
  }
}
