import {
  emptyRoot,
  hashOfText,
  leafTextAt,
  leafTextOfHex,
  nodeText,
  type TreeHash,
  type TreeHashText,
  textOfHash,
  treeHashBytes,
} from "./tree-hash.ts";

/**
 * The left part of a tree as the roots of its complete subtrees, the largest first: as many as `size` has bits set. More
 * leaves can be added to it, and its root told, without any of the leaves that are in it.
 */
export class CompactRange {
  #size: number;
  readonly #roots: TreeHashText[];

  private constructor(size: number, roots: TreeHashText[]) {
    this.#size = size;
    this.#roots = roots;
  }

  static empty(): CompactRange {
    return new CompactRange(0, []);
  }

  /** @param frontier hex digits, as `frontier()` gave them; null where they are not those of a tree of this size. */
  static resume(size: number, frontier: readonly string[]): CompactRange | null {
    if (!Number.isSafeInteger(size) || size < 0 || frontier.length !== bitsSet(size)) return null;
    if (!frontier.every((text) => /^[0-9a-f]{64}$/.test(text))) return null;
    return new CompactRange(
      size,
      frontier.map((text) => Buffer.from(text, "hex").toString("latin1")),
    );
  }

  /** Leaves. */
  get size(): number {
    return this.#size;
  }

  /** @param leaf the hash of the leaf, made by `leafHash`. */
  add(leaf: TreeHash): void {
    this.#add(textOfHash(leaf));
  }

  /** The leaf of a receipt. @param hash of the receipt, 64 hex digits. Throws RangeError. */
  addReceipt(hash: string): void {
    this.#add(leafTextOfHex(hash));
  }

  /** The leaves of receipts that follow each other. @param hashes of the receipts, 32 bytes each. */
  addReceipts(hashes: Uint8Array): void {
    for (let at = 0; at < hashes.length; at += treeHashBytes) this.#add(leafTextAt(hashes, at));
  }

  root(): TreeHash {
    const { length } = this.#roots;
    if (length === 0) return emptyRoot;
    let root = this.#roots[length - 1]!;
    for (let at = length - 2; at >= 0; at--) root = nodeText(this.#roots[at]!, root);
    return hashOfText(root);
  }

  /** The subtrees' roots, 64 hex digits each. */
  frontier(): readonly string[] {
    return this.#roots.map((root) => Buffer.from(root, "latin1").toString("hex"));
  }

  #add(leaf: TreeHashText): void {
    let root = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) root = nodeText(this.#roots.pop()!, root);
    this.#roots.push(root);
    this.#size += 1;
  }
}

/** Numbers up to 2^53 are more than bit operators take. */
const bitsSet = (size: number): number => {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
};
