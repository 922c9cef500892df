import { type Leaves, splitOf } from "./subtrees.ts";
import { nodeHash, sameHash, type TreeHash } from "./tree-hash.ts";

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: TreeHash;
}

/** One node of a proof: `shared` is in both trees, `added` in the newer one alone. */
interface Part {
  readonly leaves: Leaves;
  readonly is: "shared" | "added";
}

/**
 * What proves that a tree of `newer` leaves continues one of `older`, the lowest node first (RFC 6962, section 2.1.2).
 * Where the older tree is a complete subtree of the newer one its root is known, and the proof is without it.
 */
const partsOf = (older: number, newer: number): { readonly parts: readonly Part[]; readonly startsAtRoot: boolean } => {
  const parts: Part[] = [];
  let [from, to] = [0, newer];
  while (to !== older) {
    const middle = from + splitOf(to - from);
    if (older <= middle) {
      parts.push({ leaves: { from: middle, to }, is: "added" });
      to = middle;
    } else {
      parts.push({ leaves: { from, to: middle }, is: "shared" });
      from = middle;
    }
  }
  const startsAtRoot = from === 0;
  if (!startsAtRoot) parts.push({ leaves: { from, to }, is: "shared" });
  return { parts: parts.reverse(), startsAtRoot };
};

const areSizes = (older: number, newer: number): boolean =>
  Number.isSafeInteger(older) && Number.isSafeInteger(newer) && older > 0 && older <= newer;

/** The nodes of the proof. Throws RangeError unless 0 < older <= newer. */
export const consistencyNodes = (older: number, newer: number): readonly Leaves[] => {
  if (!areSizes(older, newer)) throw new RangeError("a consistency proof goes from a tree to a larger one");
  return partsOf(older, newer).parts.map(({ leaves }) => leaves);
};

export const provesConsistency = (older: TreeHead, newer: TreeHead, proof: readonly TreeHash[]): boolean => {
  if (!areSizes(older.size, newer.size)) return false;
  const { parts, startsAtRoot } = partsOf(older.size, newer.size);
  if (parts.length !== proof.length) return false;
  let [was, is] = startsAtRoot ? [older.root, older.root] : [proof[0]!, proof[0]!];
  for (let at = startsAtRoot ? 0 : 1; at < parts.length; at++) {
    const node = proof[at]!;
    if (parts[at]!.is === "added") is = nodeHash(is, node);
    else [was, is] = [nodeHash(node, was), nodeHash(node, is)];
  }
  return sameHash(was, older.root) && sameHash(is, newer.root);
};
