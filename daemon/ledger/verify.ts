import type { Head, ReceiptRow } from "../store/store.ts";
import { receiptHash, zeroHash } from "./hash.ts";
import { parseReceipt, type Receipt } from "./parse-receipt.ts";

/** What can be wrong with a chain, and what each finding means. */
export const chainProblems = Object.freeze({
  malformed: "the text is not a receipt",
  edited: "the receipt's text does not have the hash that is stored with it",
  wrong_chain: "the receipt belongs to another chain",
  moved: "the receipt stands in another place than it says",
  gap: "receipts are missing before this one",
  reordered: "the receipt stands after a newer one",
  forked: "two receipts claim this place, or two checkpoints of one size differ",
  unlinked: "the receipt before this one is not the one it was linked to",
  head_mismatch: "the receipt at the expected head has another hash",
  truncated: "the chain ends before a head or a checkpoint that is known",
  head_outside: "what it should be compared with lies before the first receipt here",
  no_header: "an export begins with its header",
  no_end: "the export was cut off: its last line does not name its last receipt",
  after_end: "there is a line after the export's end",
  checkpoint_malformed: "the text is not a signed checkpoint",
  checkpoint_wrong_chain: "the checkpoint is of another chain",
  checkpoint_unknown_key: "none of the given keys signed the checkpoint",
  checkpoint_bad_signature: "a signature on the checkpoint does not verify",
  checkpoint_reordered: "the checkpoint stands after another receipt than the last one that it covers, or twice",
  checkpoint_mismatch: "the checkpoint was signed over other receipts",
  checkpoint_missing: "a checkpoint that has to be here, signed by a key that is believed, is not",
  frontier_mismatch: "what stands for the receipts before the first one here is not what was signed",
  key_revoked: "the checkpoint's key was revoked before",
  expired_key: "the checkpoint's key was not valid at that time",
  too_few_witnesses: "no checkpoint has the cosignatures of so many of the given witnesses",
  unsigned_tail: "more receipts than allowed stand after the last signed checkpoint",
  prune_unrecorded: "receipts before the first one here are gone, and no receipt says that they were pruned",
} satisfies Record<string, string>);

export type ChainProblem = keyof typeof chainProblems;

/** The first thing that is wrong, and where. `seq` is the place, not what the receipt claims. */
export interface ChainFinding {
  readonly seq: number;
  readonly problem: ChainProblem;
}

export type StoredReceipt = Pick<ReceiptRow, "seq" | "receipt" | "hash">;

/** Walks a chain receipt by receipt: text, hash, chain, place, link. Whoever holds one holds what came before it. */
export class ChainWalk {
  readonly #chain: string;
  readonly #expected: Head | null;
  readonly #after: Head;
  #head: Head;
  #newest: Receipt | null = null;

  /** `after` is the head before the first receipt to come: seq 0 and 64 zeros for a whole chain. */
  constructor(chain: string, after: Head, expected: Head | null) {
    this.#chain = chain;
    this.#head = after;
    this.#after = after;
    this.#expected = expected;
  }

  get head(): Head {
    return this.#head;
  }

  /** The last receipt that stands; null before the first. */
  get newest(): Receipt | null {
    return this.#newest;
  }

  /** The next receipt; null where it stands. After a finding the walk is over. */
  take(row: StoredReceipt): ChainFinding | null {
    const receipt = parseReceipt(row.receipt);
    return receipt === null ? { seq: row.seq, problem: "malformed" } : this.#take(row, receipt);
  }

  /** The same for one of which nothing says where it stands but itself. */
  takeUnplaced(row: Omit<StoredReceipt, "seq">): ChainFinding | null {
    const receipt = parseReceipt(row.receipt);
    if (receipt === null) return { seq: this.#head.seq + 1, problem: "malformed" };
    return this.#take({ ...row, seq: receipt.seq }, receipt);
  }

  /** After the last receipt. */
  end(): ChainFinding | null {
    const expected = this.#expected;
    if (expected === null) return null;
    const after = this.#after;
    if (expected.seq > this.#head.seq) return { seq: this.#head.seq, problem: "truncated" };
    if (expected.seq < after.seq) return { seq: after.seq + 1, problem: "head_outside" };
    return expected.seq === after.seq && expected.hash !== after.hash
      ? { seq: after.seq, problem: "head_mismatch" }
      : null;
  }

  #take(row: StoredReceipt, receipt: Receipt): ChainFinding | null {
    const problem = this.#judge(row, receipt);
    if (problem !== null) return { seq: row.seq, problem };
    this.#head = { seq: row.seq, hash: row.hash };
    this.#newest = receipt;
    return null;
  }

  #judge(row: StoredReceipt, receipt: Receipt): ChainProblem | null {
    if (receiptHash(row.receipt) !== row.hash) return "edited";
    if (receipt.chain !== this.#chain) return "wrong_chain";
    if (receipt.seq !== row.seq) return "moved";
    if (receipt.seq === this.#head.seq) return "forked";
    if (receipt.seq < this.#head.seq) return "reordered";
    if (receipt.seq > this.#head.seq + 1) return "gap";
    if (receipt.prev !== this.#head.hash) return "unlinked";
    if (receipt.seq === this.#expected?.seq && row.hash !== this.#expected.hash) return "head_mismatch";
    return null;
  }
}

export const beforeFirst: Head = Object.freeze({ seq: 0, hash: zeroHash });
