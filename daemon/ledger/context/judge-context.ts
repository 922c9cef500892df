import { commitmentIn } from "../commitments.ts";
import { openCommitment } from "../open-commitment.ts";
import type { Receipt } from "../parse-receipt.ts";
import type { Context, ContextValue } from "./context.ts";

/** What a context is answered, and what each means. */
export const contextAnswers = Object.freeze({
  verified: "the receipt is of this call, and stands in a chain that is whole",
  context_incomplete: "the context does not say enough to tell one call from another",
  record_not_found: "there is no such receipt of a decision",
  chain_failed: "the chain, or the proof, is not whole: nothing that it holds is evidence",
  predates_binding: "the receipt is of an earlier release, and does not bind what is asked about",
  context_mismatch: "the receipt is of another call",
} satisfies Record<string, string>);

export type ContextAnswer = keyof typeof contextAnswers;

export interface ContextVerdict {
  readonly answer: ContextAnswer;
  /** The field of the context that is missing, or that differs; null where the answer is about none. */
  readonly field: string | null;
}

const said = (answer: ContextAnswer, field: string | null = null): ContextVerdict => Object.freeze({ answer, field });

/** Is anything missing, whatever the receipt says? Null where not. Judged first: half a context fits many calls. */
export const missingIn = ({ action, value }: Context): ContextVerdict | null => {
  if (action === null) return said("context_incomplete", "action");
  return value === null ? said("context_incomplete", "arguments") : null;
};

/**
 * Is the receipt of this call? Whether it stands in its chain has been judged before. `storedSalt` is the one of what was put, or
 * of what became of it, as the context asks; null where it is not there.
 */
export const judgeContext = (receipt: Receipt, context: Context, storedSalt: string | null): ContextVerdict => {
  if (receipt.kind !== "decision") return said("record_not_found");
  // It names neither contract nor client, and what it does not bind cannot be checked: fail closed.
  if (receipt.v === 1) return said("predates_binding");
  // No receipt names a server: whoever asks for one is not told that it fits.
  const bound = { ...receipt, server: null };
  for (const field of ["action", "principal", "call_id", "surface", "server"] as const) {
    if (context[field] !== undefined && context[field] !== bound[field]) return said("context_mismatch", field);
  }
  const { value } = context;
  if (value === null) return said("context_incomplete", "arguments");
  const made = commitmentIn(receipt, value.of);
  if (made === null) return said("context_mismatch", value.of);
  if ("commitment" in value) return fits(value, made.commitment === value.commitment);
  const salt = context.salt ?? storedSalt;
  // Erased, or not stored beside a proof: the value cannot be opened, which is not to say that it is another.
  if (salt === null) return said("context_incomplete", "salt");
  return fits(value, openCommitment(receipt, value.of, salt, value.canonical));
};

const fits = ({ of }: ContextValue, isSame: boolean): ContextVerdict =>
  isSame ? said("verified") : said("context_mismatch", of);
