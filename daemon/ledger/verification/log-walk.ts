import type { Head } from "../../store/store.ts";
import { isMarkOf } from "../pruning/mark.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { type ChainFinding, type ChainProblem, ChainWalk, type StoredReceipt } from "../verify.ts";
import type { LogVerdict } from "./findings.ts";
import { isOfChain, type ReadCheckpoint, readCheckpoint } from "./read-checkpoint.ts";
import { type Believed, SignerJudge } from "./signers.ts";

/** What the log is compared with. */
export interface LogExpectations {
  /** A head that was noted elsewhere. */
  readonly head: Head | null;
  /** Checkpoints that were kept elsewhere. */
  readonly kept: readonly ReadCheckpoint[];
  readonly believed: Believed;
  /** A log that nothing was signed of yet. Whoever brings a key of somebody else's wants to see it used. */
  readonly neverSigned: "refused" | "taken";
  /** How many of the given witnesses must have cosigned one checkpoint. */
  readonly witnesses: number;
  /** How many receipts may stand after the last signed checkpoint; null for any number. */
  readonly maxUnsigned: number | null;
}

/** Where a log begins: seq 0, 64 zeros and no subtrees for a whole one. `frontier` is null where nobody knows it. */
export interface LogStart {
  readonly chain: string;
  readonly after: Head;
  readonly frontier: readonly string[] | null;
}

/**
 * Walks a log: the chain of receipts, the tree over them, and the checkpoints that were signed over the tree. It holds a
 * frontier and counts, whatever the log's length. The order of its checks is part of the format: two verifiers name the same
 * finding (docs/receipts.md).
 */
export class LogWalk {
  readonly #start: LogStart;
  readonly #expect: LogExpectations;
  readonly #chain: ChainWalk;
  /** Null where the frontier before the first receipt is not known. */
  readonly #tree: CompactRange | null;
  readonly #signers: SignerJudge;
  readonly #kept = new Map<number, string>();
  #prunedAt: number | null = null;
  #receipts = 0;
  #count = 0;
  #before: ReadCheckpoint | null = null;
  #signedThrough: number | null = null;
  #mostCosigned = 0;
  readonly #keys = new Set<string>();
  readonly #witnesses = new Set<string>();

  constructor(start: LogStart, expect: LogExpectations) {
    this.#start = start;
    this.#expect = expect;
    this.#chain = new ChainWalk(start.chain, start.after, expect.head);
    this.#signers = new SignerJudge(start.chain, expect.believed);
    const { frontier, after } = start;
    this.#tree = frontier === null ? null : CompactRange.resume(after.seq, frontier);
  }

  get head(): Head {
    return this.#chain.head;
  }

  /** Which receipt says that those before the first one here were pruned; null where none has so far. */
  get prunedAt(): number | null {
    return this.#prunedAt;
  }

  /** What stands for the leaves so far; null where nobody knows. */
  frontier(): readonly string[] | null {
    return this.#tree?.frontier() ?? null;
  }

  get receipts(): number {
    return this.#receipts;
  }

  /** Before the first receipt: what was given must be of this log at all. */
  begin(): ChainFinding | null {
    const { after, frontier } = this.#start;
    if (frontier !== null && this.#tree === null) return { seq: after.seq, problem: "frontier_mismatch" };
    for (const kept of this.#expect.kept) {
      const finding = this.#takeKept(kept);
      if (finding !== null) return finding;
    }
    return null;
  }

  #takeKept(kept: ReadCheckpoint): ChainFinding | null {
    const { after } = this.#start;
    const problem = this.#judgeSigners(kept, null);
    if (problem !== null) return { seq: kept.size, problem };
    const same = this.#kept.get(kept.size);
    if (same !== undefined && same !== kept.root) return { seq: kept.size, problem: "forked" };
    this.#kept.set(kept.size, kept.root);
    // Without the tree's beginning nothing can be held to a root, and what is not compared may not pass.
    if (kept.size < after.seq || this.#tree === null) {
      return { seq: after.seq + 1, problem: "head_outside" };
    }
    return kept.size === after.seq ? this.#compareKept() : null;
  }

  /** The next receipt, at the place where it stands; null where that is its own word. */
  receipt(row: Omit<StoredReceipt, "seq">, seq: number | null): ChainFinding | null {
    const finding = seq === null ? this.#chain.takeUnplaced(row) : this.#chain.take({ ...row, seq });
    if (finding !== null) return finding;
    this.#receipts += 1;
    const { newest } = this.#chain;
    if (newest?.kind === "control" && isMarkOf(newest, this.#start.after)) this.#prunedAt = newest.seq;
    this.#tree?.addReceipt(row.hash);
    return this.#kept.has(this.head.seq) ? this.#compareKept() : null;
  }

  #compareKept(): ChainFinding | null {
    const { seq } = this.head;
    return this.#kept.get(seq) === this.#root() ? null : { seq, problem: "checkpoint_mismatch" };
  }

  /** Hex; null where nobody knows. */
  #root(): string | null {
    return this.#tree === null ? null : Buffer.from(this.#tree.root()).toString("hex");
  }

  /** A checkpoint that stands after the last receipt; null for a text that could not even be read out of its line. */
  checkpoint(note: string | null): ChainFinding | null {
    const checkpoint = note === null ? null : readCheckpoint(note);
    const problem = checkpoint === null ? "checkpoint_malformed" : this.#judge(checkpoint);
    if (checkpoint === null || problem !== null)
      return { seq: this.head.seq, problem: problem ?? "checkpoint_malformed" };
    this.#before = checkpoint;
    this.#count += 1;
    return null;
  }

  #judge(checkpoint: ReadCheckpoint): ChainProblem | null {
    const { seq } = this.head;
    const problem = this.#judgeSigners(checkpoint, this.#chain.newest?.time_ms ?? null);
    if (problem !== null) return problem;
    if (checkpoint.size !== seq) return "checkpoint_reordered";
    if (checkpoint.size === this.#before?.size) {
      return checkpoint.root === this.#before.root ? "checkpoint_reordered" : "forked";
    }
    if (this.#root() === checkpoint.root) return null;
    return seq === this.#start.after.seq && seq > 0 ? "frontier_mismatch" : "checkpoint_mismatch";
  }

  /** @param at_ms when its newest receipt was written; null where that is not here. */
  #judgeSigners(checkpoint: ReadCheckpoint, at_ms: number | null): ChainProblem | null {
    if (!isOfChain(checkpoint, this.#start.chain)) return "checkpoint_wrong_chain";
    const judged = this.#signers.judge(checkpoint, at_ms);
    if (typeof judged === "string") return judged;
    for (const key of judged.keys) this.#keys.add(key);
    for (const witness of judged.witnesses) this.#witnesses.add(witness);
    this.#mostCosigned = Math.max(this.#mostCosigned, judged.cosigned);
    if (judged.keys.length > 0) this.#signedThrough = Math.max(this.#signedThrough ?? 0, checkpoint.size);
    return null;
  }

  /** After the last receipt. */
  end(): ChainFinding | null {
    const finding = this.#chain.end();
    if (finding !== null) return finding;
    const { seq } = this.head;
    const { kept, neverSigned, witnesses, maxUnsigned } = this.#expect;
    if (kept.some(({ size }) => size > seq)) return { seq, problem: "truncated" };
    if (neverSigned === "refused" && this.#receipts > 0 && this.#signedThrough === null)
      return { seq, problem: "checkpoint_missing" };
    if (this.#mostCosigned < witnesses) return { seq, problem: "too_few_witnesses" };
    const signed = this.#signedThrough ?? this.#start.after.seq;
    return maxUnsigned !== null && seq - signed > maxUnsigned ? { seq: signed + 1, problem: "unsigned_tail" } : null;
  }

  verdict(finding: ChainFinding | null): LogVerdict {
    return Object.freeze({
      chain: this.#start.chain,
      checkpoints: Object.freeze({
        count: this.#count,
        keys: Object.freeze([...this.#keys].sort()),
        signed_through: this.#signedThrough,
        witnesses: Object.freeze([...this.#witnesses].sort()),
      }),
      finding,
      head: this.head,
      pruned_at: this.#prunedAt,
      receipts: this.#receipts,
      whole: finding === null,
    });
  }
}
