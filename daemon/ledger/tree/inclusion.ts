import { type Leaves, splitOf } from "./subtrees.ts";
import { nodeHash, sameHash, type TreeHash } from "./tree-hash.ts";

/**
 * The nodes that prove leaf `index` (from 0) in a tree of `size` leaves, the lowest first (RFC 6962, section 2.1.1).
 * Throws RangeError where there is no such leaf.
 */
export const inclusionNodes = (index: number, size: number): readonly Leaves[] => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) {
    throw new RangeError("the tree has no such leaf");
  }
  const nodes: Leaves[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      nodes.push({ from: middle, to });
      to = middle;
    } else {
      nodes.push({ from, to: middle });
      from = middle;
    }
  }
  return nodes.reverse();
};

/** @param leaf the hash of the leaf, made by `leafHash`. */
export const provesInclusion = (
  { index, size, root }: { readonly index: number; readonly size: number; readonly root: TreeHash },
  leaf: TreeHash,
  proof: readonly TreeHash[],
): boolean => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  const nodes = inclusionNodes(index, size);
  if (nodes.length !== proof.length) return false;
  const computed = nodes.reduce((hash, node, at) => {
    const sibling = proof[at]!;
    return node.from > index ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  }, leaf);
  return sameHash(computed, root);
};
