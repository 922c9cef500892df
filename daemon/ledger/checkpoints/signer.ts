import { setImmediate as nextTurn } from "node:timers/promises";
import type { PrivateKey } from "../../keys/private-key.ts";
import type { CheckpointStore } from "../../store/checkpoint-rows.ts";
import { StoreFailed } from "../../store/refused.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { CompactRange } from "../tree/compact-range.ts";
import type { TreeHead } from "../tree/consistency.ts";
import { sameHash, treeHashBytes } from "../tree/tree-hash.ts";
import { logKey, originOf, signCheckpoint } from "./checkpoint.ts";
import {
  type CheckpointNote,
  parseCheckpointNote,
  readCheckpointFile,
  writeCheckpointFile,
} from "./checkpoint-file.ts";
import { noteSigners } from "./note-signers.ts";
import { signedNoteText } from "./signed-note.ts";
import { readTreeFile, type SavedTree, writeTreeFile } from "./tree-file.ts";

/** Hashes of one read: enough to share its cost, few enough to hold. */
const hashesAtOnce = 1_024;
/** A long chain that nobody has signed yet is signed on the way, so that what was done is not done again. */
const signedOnTheWay = 65_536;
/**
 * So often at most is the newest checkpoint put into its file, which waits for the disk: under a load without a pause
 * checkpoints follow each other quicker, and a wait for each would be felt by those who write beside it.
 */
const publishEvery_ms = 1_000;

/**
 * When a checkpoint is made: after so many receipts, or so long after the first one that none covers. Receipts that are
 * there already are covered by one, however many they are: those between would cover nothing sooner.
 */
export interface CheckpointPace {
  readonly receipts: number;
  readonly after_ms: number;
}

export interface SignerParts {
  readonly store: CheckpointStore;
  readonly directory: StateDirectory;
  readonly key: PrivateKey;
  readonly pace: CheckpointPace;
  readonly now_ms: () => number;
  /** A clock that only rises: a wall clock that jumps costs no checkpoint and makes none. */
  readonly monotonic_ms: () => number;
}

/** The receipts are not those that were signed before: nothing is signed from here on. `message` is one line. */
export class ChainContradicted extends Error {
  override readonly name = "ChainContradicted";
}

/**
 * Makes checkpoints of one chain, beside whoever writes it. It reads what is stored and adds it to its tree, each receipt
 * once; it signs only what continues everything that it finds signed. One call of `look` or `last` at a time.
 */
export class CheckpointSigner {
  readonly #parts: SignerParts;
  /** Null until the tree was found again. */
  #tree: CompactRange | null = null;
  #lastHash = "";
  /** The newest checkpoint that is stored. */
  #signed: CheckpointNote | null = null;
  /** Size of the one in the state directory's file. */
  #published = 0;
  #published_ms = Number.NEGATIVE_INFINITY;
  /** What was signed before and is not reached yet: its trees have to be met. */
  #expected: readonly CheckpointNote[] = [];
  #unsignedSince_ms: number | null = null;
  #contradiction: ChainContradicted | null = null;

  constructor(parts: SignerParts) {
    this.#parts = parts;
  }

  /** Signs where it is time. Throws StoreFailed, StoreRefused and ChainContradicted. */
  look(): Promise<void> {
    return this.#unlessContradicted(async () => {
      const newest = await this.#newest();
      await this.#takeThrough(this.#expectedSize());
      if (this.#isDue(newest)) await this.#signThrough(newest);
      if (this.#parts.monotonic_ms() - this.#published_ms >= publishEvery_ms) await this.#publish();
    });
  }

  /** Signs all that is there. Throws as `look` does. */
  last(): Promise<void> {
    return this.#unlessContradicted(async () => {
      const newest = await this.#newest();
      await this.#takeThrough(this.#expectedSize());
      if (newest > this.#signedSize()) await this.#signThrough(newest);
      await this.#publish();
    });
  }

  async #unlessContradicted(work: () => Promise<void>): Promise<void> {
    if (this.#contradiction !== null) throw this.#contradiction;
    try {
      await work();
    } catch (error) {
      if (error instanceof ChainContradicted) this.#contradiction = error;
      throw error;
    }
  }

  /** The newest receipt of a store that has all that was signed of it. */
  async #newest(): Promise<number> {
    if (this.#tree === null) await this.#resume();
    const newest = await this.#parts.store.newestSeq();
    if (newest < Math.max(this.#grown().size, this.#expectedSize()))
      throw contradicted(`the ledger ends with receipt ${newest} and was signed beyond it`);
    return newest;
  }

  #isDue(newest: number): boolean {
    const { monotonic_ms, pace } = this.#parts;
    const unsigned = newest - this.#signedSize();
    if (unsigned <= 0) {
      this.#unsignedSince_ms = null;
      return false;
    }
    const at_ms = monotonic_ms();
    this.#unsignedSince_ms ??= at_ms;
    return unsigned >= pace.receipts || at_ms - this.#unsignedSince_ms >= pace.after_ms;
  }

  async #signThrough(newest: number): Promise<void> {
    await this.#takeThrough(newest);
    if (this.#grown().size > this.#signedSize()) await this.#sign();
  }

  async #takeThrough(newest: number): Promise<void> {
    const tree = this.#grown();
    while (tree.size < newest) {
      await this.#take(Math.min(newest, this.#nextStop()));
      if (tree.size - this.#signedSize() >= signedOnTheWay) await this.#sign();
      // Whoever stops the thread is heard in between.
      await nextTurn();
    }
  }

  /** Where the tree was: the saved one, the mark of what retention took, or none at all. */
  async #resume(): Promise<void> {
    const { store, directory } = this.#parts;
    const file = readCheckpointFile(directory.checkpointPath, store.chain);
    const newest = await store.newest();
    const row = newest === null ? null : this.#noteOf(newest.size, newest.note);
    const found = (await this.#saved()) ?? (await this.#marked()) ?? { tree: CompactRange.empty(), lastHash: "" };
    const { tree } = found;
    this.#expected = [file, row].filter(
      (note) => note !== null && note.checkpoint.size > tree.size,
    ) as CheckpointNote[];
    this.#lastHash = found.lastHash;
    this.#signed = row;
    this.#published = file?.checkpoint.size ?? 0;
    this.#tree = tree;
  }

  /** The tree in its file, where it is that of a checkpoint that this key signed and ends with the receipt that is stored. */
  async #saved(): Promise<SavedTree | null> {
    const { store, directory, key } = this.#parts;
    const saved = readTreeFile(directory.treePath);
    if (saved === null || saved.tree.size === 0) return null;
    const { size } = saved.tree;
    const row = await store.find(size);
    if (row === null) return null;
    const { note, checkpoint } = this.#noteOf(size, row.note);
    if (noteSigners(note, [logKey(store.chain, key.publicKey)]).signed.length === 0) return null;
    if (!sameHash(saved.tree.root(), checkpoint.root)) return null;
    const mark = await store.mark();
    const lastHash = mark?.through === size ? mark.hash : hex(await store.hashes(size, 1));
    return lastHash === saved.lastHash ? saved : null;
  }

  async #marked(): Promise<SavedTree | null> {
    const { store } = this.#parts;
    const mark = await store.mark();
    if (mark === null) return null;
    const tree = CompactRange.resume(mark.through, mark.frontier);
    const row = await store.find(mark.through);
    const isWhole =
      tree !== null && row !== null && sameHash(tree.root(), this.#noteOf(row.size, row.note).checkpoint.root);
    if (!isWhole) throw contradicted(`the mark of pruned receipts ${mark.through} is not that of a checkpoint`);
    return { tree, lastHash: mark.hash };
  }

  #noteOf(size: number, text: string): CheckpointNote {
    const { store, key } = this.#parts;
    const parsed = parseCheckpointNote(text);
    if (parsed?.checkpoint.size !== size || parsed.checkpoint.origin !== originOf(store.chain)) {
      throw contradicted(`what is stored as checkpoint ${size} is none of this chain`);
    }
    if (noteSigners(parsed.note, [logKey(store.chain, key.publicKey)]).forged.length > 0) {
      throw contradicted(`checkpoint ${size} has a signature that does not hold`);
    }
    return parsed;
  }

  #grown(): CompactRange {
    if (this.#tree === null) throw new StoreFailed("the tree of the receipts was not built");
    return this.#tree;
  }

  #signedSize(): number {
    return this.#signed?.checkpoint.size ?? 0;
  }

  #expectedSize(): number {
    return Math.max(0, ...this.#expected.map(({ checkpoint }) => checkpoint.size));
  }

  /** Where the tree has to be looked at, because a checkpoint was made there. */
  #nextStop(): number {
    return Math.min(...this.#expected.map(({ checkpoint }) => checkpoint.size));
  }

  /** Adds receipts up to number `to`, or some of them. */
  async #take(to: number): Promise<void> {
    const tree = this.#grown();
    const from = tree.size + 1;
    const count = Math.min(to - tree.size, hashesAtOnce);
    const { store } = this.#parts;
    // What was signed before is read from the receipts themselves: they are what has to be as it was.
    const hashes = await (this.#expected.length > 0 ? store.hashes(from, count) : store.leaves(from, count));
    if (hashes.length === 0) throw new StoreFailed(`receipt ${from} is damaged or missing`);
    tree.addReceipts(hashes);
    this.#lastHash = hex(hashes.subarray(-treeHashBytes));
    const met = this.#expected.filter(({ checkpoint }) => checkpoint.size === tree.size);
    if (met.length === 0) return;
    const root = tree.root();
    if (met.some(({ checkpoint }) => !sameHash(checkpoint.root, root))) {
      throw contradicted(`the receipts are not those that checkpoint ${tree.size} was made of`);
    }
    this.#expected = this.#expected.filter(({ checkpoint }) => checkpoint.size > tree.size);
  }

  async #sign(): Promise<void> {
    const { store, key, now_ms } = this.#parts;
    const { size, root } = this.#head();
    const note = signCheckpoint({ origin: originOf(store.chain), size, root }, key);
    const standing = await store.put({ size, time_ms: now_ms(), note: signedNoteText(note) });
    const stored = this.#noteOf(size, standing.note);
    if (!sameHash(stored.checkpoint.root, root)) {
      throw contradicted(`another checkpoint of ${size} receipts was stored for this chain`);
    }
    this.#signed = stored;
    this.#unsignedSince_ms = null;
  }

  /** What the file names the store has to have, also after a crash of the machine: it is written last. */
  async #publish(): Promise<void> {
    const { store, directory, monotonic_ms } = this.#parts;
    const signed = this.#signed;
    const tree = this.#grown();
    if (signed === null || signed.checkpoint.size <= this.#published || signed.checkpoint.size !== tree.size) return;
    await store.sync(tree.size);
    writeTreeFile(directory.treePath, { tree, lastHash: this.#lastHash });
    writeCheckpointFile(directory.checkpointPath, signed.note);
    this.#published = tree.size;
    this.#published_ms = monotonic_ms();
  }

  #head(): TreeHead {
    const tree = this.#grown();
    return { size: tree.size, root: tree.root() };
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const contradicted = (what: string): ChainContradicted => new ChainContradicted(what);
