import { type Committed, commitmentTo } from "./hash.ts";
import type { DecisionReceipt } from "./parse-receipt.ts";
import type { DecisionRecord } from "./record.ts";

/** What one receipt commits to, as `sha256:` and 64 hex digits each. */
export interface Commitments {
  /** What was put: the arguments of a call, the response of a result. */
  readonly put: string;
  /** What may run, or be told, instead; null where that is what was put. */
  readonly final: string | null;
}

/** The salts that they are made with: each its own, so that one value can be opened, or made unprovable, without the other. */
export interface Salts {
  readonly salt: string;
  readonly final_salt: string | null;
}

type Puts = Pick<DecisionRecord, "committed" | "finalCanonical">;

export const saltsFor = ({ committed, finalCanonical }: Puts, next: () => string): Salts => ({
  salt: committed?.salt ?? next(),
  final_salt: finalCanonical === null ? null : next(),
});

/** What was put is the arguments of a call and the response of a result. */
export const putOf = (phase: DecisionReceipt["phase"]): Committed => (phase === "call" ? "arguments" : "response");

export const commitmentsOf = (
  { phase, argsCanonical, committed, finalCanonical }: DecisionRecord,
  { salt, final_salt }: Salts,
): Commitments => ({
  put: committed?.commitment ?? commitmentTo(putOf(phase), salt, argsCanonical),
  final: finalCanonical === null || final_salt === null ? null : commitmentTo("final", final_salt, finalCanonical),
});

/** The commitment of a receipt to one of them, and by what it was made; null where it has none. */
export const commitmentIn = (
  receipt: DecisionReceipt,
  what: Committed,
): { readonly commitment: string; readonly by: Committed } | null => {
  // A receipt of version 1 commits to the response of a result as it does to arguments.
  if (receipt.v === 1) {
    return what === putOf(receipt.phase) ? { commitment: receipt.args_commitment, by: "arguments" } : null;
  }
  const { args_commitment, response_commitment, final_commitment } = receipt;
  const commitment = { arguments: args_commitment, response: response_commitment, final: final_commitment }[what];
  return commitment === null ? null : { commitment, by: what };
};
