import type { PrunedMark } from "../../store/reader-rows.ts";
import type { ReceiptReader } from "../../store/receipt-reader.ts";
import { type Leaves, subtreesOf } from "../tree/subtrees.ts";
import { leafHashOfHex, nodeHash, type TreeHash } from "../tree/tree-hash.ts";
import { leavesPerTile, type TileRoots, tileLevel } from "./tile-roots.ts";

/** A node of the tree cannot be made: its receipts were pruned, or are damaged. `message` is one line. */
export class NodeMissing extends Error {
  override readonly name = "NodeMissing";
}

/** The nodes of a stored log's tree: from the roots of its tiles, the receipts of a tile, and the mark of what was pruned. */
export class StoredTree {
  readonly #reader: ReceiptReader;
  readonly #roots: TileRoots;
  /** Subtrees that stand for pruned receipts, by level and index. */
  readonly #marked: ReadonlyMap<string, TreeHash>;
  readonly #through: number;
  readonly #leaves = new Map<number, readonly TreeHash[]>();

  constructor(reader: ReceiptReader, mark: PrunedMark | null, roots: TileRoots) {
    this.#reader = reader;
    this.#roots = roots;
    this.#through = mark?.through ?? 0;
    this.#marked = new Map(markedSubtrees(mark));
  }

  /** Makes the roots of complete tiles up to `size` that are not there yet: one pass over receipts that are new. */
  async grow(size: number, progress: (receipts: number) => void): Promise<boolean> {
    const before = this.#roots.length;
    for (let index = before; (index + 1) * leavesPerTile <= size; index++) {
      const isPruned = index * leavesPerTile < this.#through;
      this.#roots.add(isPruned ? null : await this.#node(tileLevel, index));
      this.#leaves.clear();
      progress((index + 1) * leavesPerTile);
    }
    return this.#roots.length > before;
  }

  /** The hash of the node over these leaves. Throws NodeMissing and StoreFailed. */
  async nodeOver(leaves: Leaves): Promise<TreeHash> {
    const hashes: TreeHash[] = [];
    for (const { level, index } of subtreesOf(leaves)) hashes.push(await this.#node(level, index));
    return hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  async #node(level: number, index: number): Promise<TreeHash> {
    const known = this.#marked.get(`${level}/${index}`) ?? (level === tileLevel ? this.#roots.get(index) : null);
    if (known !== null) return known;
    if (level > 0) return nodeHash(await this.#node(level - 1, 2 * index), await this.#node(level - 1, 2 * index + 1));
    if (index < this.#through) throw new NodeMissing(`receipt ${index + 1} was pruned, and the proof needs it`);
    const tile = Math.floor(index / leavesPerTile);
    const leaves = this.#leaves.get(tile) ?? (await this.#readTile(tile));
    const first = Math.max(tile * leavesPerTile, this.#through);
    const leaf = leaves[index - first];
    if (leaf === undefined) throw new NodeMissing(`receipt ${index + 1} is missing; run interlock receipts verify`);
    return leaf;
  }

  async #readTile(tile: number): Promise<readonly TreeHash[]> {
    const first = Math.max(tile * leavesPerTile, this.#through) + 1;
    const leaves: TreeHash[] = [];
    for await (const { seq, hash } of this.#reader.rows(first, (tile + 1) * leavesPerTile)) {
      if (seq !== first + leaves.length || !/^[0-9a-f]{64}$/.test(hash)) {
        throw new NodeMissing(`receipt ${seq} is damaged or out of place; run interlock receipts verify`);
      }
      leaves.push(leafHashOfHex(hash));
    }
    this.#leaves.set(tile, leaves);
    return leaves;
  }
}

/** The frontier of a mark, each hash with its place. A mark that does not fit its size has none: what is made is then refused. */
function* markedSubtrees(mark: PrunedMark | null): Iterable<readonly [string, TreeHash]> {
  if (mark === null) return;
  const places = subtreesOf({ from: 0, to: mark.through });
  for (const [at, { level, index }] of places.entries()) {
    const hash = mark.frontier[at];
    if (hash !== undefined) yield [`${level}/${index}`, new Uint8Array(Buffer.from(hash, "hex"))];
  }
}
