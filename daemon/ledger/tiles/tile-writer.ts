import { CompactRange } from "../tree/compact-range.ts";
import { leafHash, type TreeHash } from "../tree/tree-hash.ts";
import { tilePath, tileWidth } from "./tile-path.ts";

/** Takes one file of the tree: its path below the folder that is served, and its bytes. */
export type PutFile = (path: string, bytes: Uint8Array) => void;

/** A bundle's entry is its length in two bytes and the entry: here the 32 bytes of a receipt's hash. */
const entryOf = (receiptHash: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([0, receiptHash.length]), receiptHash]);

/** Tiles of one level, of which the last is still being filled. */
class Level {
  readonly #level: number;
  readonly #put: PutFile;
  readonly #full: (root: TreeHash) => void;
  #index = 0;
  #hashes: TreeHash[] = [];

  constructor(level: number, put: PutFile, full: (root: TreeHash) => void) {
    this.#level = level;
    this.#put = put;
    this.#full = full;
  }

  add(hash: TreeHash): void {
    this.#hashes.push(hash);
    if (this.#hashes.length < tileWidth) return;
    const range = CompactRange.empty();
    for (const one of this.#hashes) range.add(one);
    this.end();
    this.#index += 1;
    this.#hashes = [];
    this.#full(range.root());
  }

  /** Writes what is there, whole or not. */
  end(): void {
    const { length } = this.#hashes;
    if (length > 0) this.#put(tilePath(this.#level, this.#index, length), Buffer.concat(this.#hashes));
  }
}

/**
 * Writes the tree over receipts as C2SP tlog-tiles has it: tiles of hashes, and the entries that its leaves are hashes of.
 * It holds one tile of each level, whatever the log's length.
 */
export class TileWriter {
  readonly #put: PutFile;
  readonly #levels: Level[] = [];
  #entries: Uint8Array[] = [];
  #bundle = 0;

  constructor(put: PutFile) {
    this.#put = put;
  }

  /** @param receiptHash 32 bytes, in chain order. */
  add(receiptHash: Uint8Array): void {
    this.#entries.push(entryOf(receiptHash));
    if (this.#entries.length === tileWidth) {
      this.#endBundle();
      this.#bundle += 1;
      this.#entries = [];
    }
    this.#level(0).add(leafHash(receiptHash));
  }

  /** What is not full is written as far as it is. */
  end(): void {
    this.#endBundle();
    for (const level of this.#levels) level.end();
  }

  #endBundle(): void {
    const { length } = this.#entries;
    if (length > 0) this.#put(tilePath("entries", this.#bundle, length), Buffer.concat(this.#entries));
  }

  #level(level: number): Level {
    const there = this.#levels[level];
    if (there !== undefined) return there;
    const made = new Level(level, this.#put, (root) => this.#level(level + 1).add(root));
    this.#levels[level] = made;
    return made;
  }
}
