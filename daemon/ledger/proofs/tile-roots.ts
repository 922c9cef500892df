import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isOursAlone } from "../../store/state-directory.ts";
import { type TreeHash, treeHashBytes } from "../tree/tree-hash.ts";

/** Leaves of a tile, as C2SP tlog-tiles has them: a complete one is the subtree of this level. */
export const tileLevel = 8;
export const leavesPerTile = 2 ** tileLevel;

/** What the file begins with: roots of another chain's tiles are none. */
const headOf = (chain: string): TreeHash => hash("sha256", `interlock tile roots v1\n${chain}`, "buffer");

const unknown = new Uint8Array(treeHashBytes);

/**
 * Roots of a log's complete tiles, in order, kept in a file beside the store so that a proof reads the receipts of one tile
 * and not of all. It is a cache and proves nothing: what is made with it is held to a signed checkpoint, and where that
 * fails it is thrown away. A tile whose receipts were pruned before it was made has no root here.
 */
export class TileRoots {
  readonly #chain: string;
  readonly #roots: TreeHash[];

  constructor(chain: string, roots: readonly TreeHash[] = []) {
    this.#chain = chain;
    this.#roots = [...roots];
  }

  /** What is no such file of this chain is an empty one. */
  static read(path: string, chain: string): TileRoots {
    const bytes = readOwn(path);
    if (bytes === null || Buffer.compare(bytes.subarray(0, treeHashBytes), headOf(chain)) !== 0) {
      return new TileRoots(chain);
    }
    const roots: TreeHash[] = [];
    for (let at = treeHashBytes; at + treeHashBytes <= bytes.length; at += treeHashBytes) {
      roots.push(new Uint8Array(bytes.subarray(at, at + treeHashBytes)));
    }
    return new TileRoots(chain, roots);
  }

  /** How many tiles were looked at, those without a root among them. */
  get length(): number {
    return this.#roots.length;
  }

  get(index: number): TreeHash | null {
    const root = this.#roots[index];
    return root === undefined || Buffer.compare(root, unknown) === 0 ? null : root;
  }

  add(root: TreeHash | null): void {
    this.#roots.push(root ?? unknown);
  }

  /** In one step: a reader finds the roots from before, or all of these. */
  write(path: string): void {
    const beside = `${path}.${process.pid}`;
    writeFileSync(beside, Buffer.concat([headOf(this.#chain), ...this.#roots]), { mode: 0o600 });
    renameSync(beside, path);
  }
}

const readOwn = (path: string): Buffer | null => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && isOursAlone(stats) ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
};
