import type { Phase } from "../wire/event.ts";
import type { FeatureSet } from "../wire/features.ts";
import type { BlockedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";

/**
 * What a question is about. `outcome` and `resume` are for a daemon that keeps transactions, `offline` for one that is told what was
 * decided without it; `surface` reports what an MCP server lists. No fallback decides them.
 */
export type Subject = Phase | "outcome" | "resume" | "offline" | "surface";

/**
 * One question on its way to a decision.
 *
 * `waiting`: in the line for a connection. `taken`: out of the line. `asked`: its frame was given to a connection. `settled`: its promise has its answer, and
 * nothing that arrives later changes it.
 */
export class Question {
  readonly id: string;
  readonly action: string;
  readonly subject: Subject;
  /** The id of the call that it is to let run; null where it has none, or lets nothing run. */
  readonly callId: string | null;
  /** On the monotonic clock; Infinity where the caller waits for ever. */
  readonly deadline_ms: number;
  /** The frame as it is written, newline included, and the features it was written for. Empty once settled. */
  frame: string;
  features: FeatureSet;
  state: "waiting" | "taken" | "asked" | "settled" = "taken";
  /** May a daemon have read it? Then no fallback decides it, and only one that knows what it decided is asked again. */
  everAsked = false;
  /** Did it lose a connection before? It is asked twice, and no more. */
  wasLost = false;
  // Links of the deadline queue.
  earlier: Question | null = null;
  later: Question | null = null;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: BlockedError) => void;

  constructor(
    id: string,
    action: string,
    subject: Subject,
    callId: string | null,
    frame: string,
    features: FeatureSet,
    deadline_ms: number,
    resolve: (decision: Decision) => void,
    reject: (error: BlockedError) => void,
  ) {
    this.id = id;
    this.action = action;
    this.subject = subject;
    this.callId = callId;
    this.frame = frame;
    this.features = features;
    this.deadline_ms = deadline_ms;
    this.resolve = resolve;
    this.reject = reject;
  }
}
