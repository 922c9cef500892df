import type { ChainFinding } from "../verify.ts";

/** What a walk over a log knows at the point that it reached. */
export interface CheckpointSummary {
  /** Checkpoints of the log that stand. */
  readonly count: number;
  /** Given keys that signed, by their key hash, 8 hex digits, sorted. */
  readonly keys: readonly string[];
  /** Up to which receipt a given key signed for all; null where no key was given, or none signed. */
  readonly signed_through: number | null;
  /** Names of the given witnesses that cosigned, sorted. */
  readonly witnesses: readonly string[];
}

/** What became of a log. `finding` is the first thing that is wrong; null where `whole`. */
export interface LogVerdict {
  readonly chain: string;
  readonly checkpoints: CheckpointSummary;
  readonly finding: ChainFinding | null;
  /** Which receipt says that those before the first one here were pruned; null where none does. */
  readonly pruned_at: number | null;
  /** The last receipt that stands. */
  readonly head: { readonly hash: string; readonly seq: number };
  readonly receipts: number;
  readonly whole: boolean;
}
