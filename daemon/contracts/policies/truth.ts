import type { PolicyCall } from "../policy.ts";

/**
 * Does a part of a policy hold of a call? `unreadable`: nobody can say, because what is there is not what the part
 * reads. A policy that cannot be read denies.
 */
export type Truth =
  | { readonly kind: "match" | "no_match"; readonly loc: string | null }
  | { readonly kind: "unreadable"; readonly loc: string | null; readonly why: string };

/** One thing that a policy asks of a call. */
export interface PolicyPart {
  /** For `explain`: such as `when amount`. */
  readonly name: string;
  test(call: PolicyCall): Truth;
}

export const match: Truth = Object.freeze({ kind: "match", loc: null });
export const noMatch: Truth = Object.freeze({ kind: "no_match", loc: null });

/**
 * All parts together. One that does not hold settles it, whatever the others are; of the rest, one that cannot be read
 * outweighs those that hold.
 */
export const allOf = (parts: readonly PolicyPart[], call: PolicyCall): Truth => {
  let all: Truth = match;
  for (const part of parts) {
    const truth = part.test(call);
    if (truth.kind === "no_match") return truth;
    if (all.kind === "unreadable") continue;
    if (truth.kind === "unreadable" || (all.loc === null && truth.loc !== null)) all = truth;
  }
  return all;
};
