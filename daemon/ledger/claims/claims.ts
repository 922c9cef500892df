import type { VerdictName } from "../../../wire/verdict.ts";
import type { DecisionReceipt } from "../parse-receipt.ts";
import type { LaterCalls } from "./later-calls.ts";

/** Was somebody's yes needed, and given? `not_said`: the receipt does not tell. */
export type Approved = "nobody_was_asked" | "asked" | "given" | "not_given" | "not_reached" | "not_said";

/** What the ledger says of one call, each claim by itself. */
export interface Claims {
  readonly seq: number;
  readonly time_ms: number;
  readonly action: string;
  readonly principal: string | null;
  readonly call_id: string | null;
  /** Claim 1. */
  readonly approved: Approved;
  /** Claim 2: the approved surface that the call was held against; null where there was none. */
  readonly observed: string | null;
  /** Claim 3: as it was decided, never as it turned out. */
  readonly decided: {
    readonly verdict: VerdictName;
    readonly code: string;
    readonly reason: string;
    readonly policy_id: string | null;
    readonly rules: string;
  };
  /** Claim 4: did anything of this action and principal run after this receipt? */
  readonly executed_after: LaterCalls & { readonly ran: boolean };
}

export const claimsOf = (receipt: DecisionReceipt, later: LaterCalls): Claims => {
  const { seq, time_ms, action, principal, call_id, verdict, code, reason, policy_id, rules } = receipt;
  const ran = later.executed.let_run > 0 || later.executed.reported > 0;
  return {
    seq,
    time_ms,
    action,
    principal,
    call_id,
    approved: approvedOf(receipt),
    observed: receipt.v === 2 ? receipt.surface : null,
    decided: { verdict, code, reason, policy_id, rules },
    executed_after: { ...later, ran },
  };
};

/** As the approval gate and the settling of the call told the trace. */
const approvedOf = ({ trace, phase, verdict }: DecisionReceipt): Approved => {
  if (phase === "result") return "not_said";
  const answers = new Set(trace.map((entry) => entry.split(";", 1)[0]));
  if (answers.has("approval:SKIP")) return "nobody_was_asked";
  if (!answers.has("approval:REQUIRE_APPROVAL")) return verdict === "BLOCK" ? "not_reached" : "not_said";
  if (answers.has("settle/authorized:ALLOW")) return "given";
  if (answers.has("settle/approval_over:DENY")) return "not_given";
  return "asked";
};
