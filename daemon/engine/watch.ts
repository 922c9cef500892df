/**
 * How the engine tells the watchdog what it is doing. The engine calls `enter` before a rule's code runs and `leave`
 * after it; who watches reads the same memory from another thread, because a rule that never returns cannot be
 * stopped from inside its own.
 */
export interface RuleWatch {
  enter(ruleNumber: number): void;
  leave(): void;
  /** The watchdog's coarse clock, in milliseconds: one read of shared memory, so it may be read around every rule. */
  coarseNow_ms(): number;
}

/** Timers are passed in, so that a simulation can drive them. */
export interface DeadlineTimer {
  /** Calls `expired` after `delay_ms`; the returned function cancels it. */
  after(delay_ms: number, expired: () => void): () => void;
}

/** How the watchdog is told of one rule's turn for one question. */
export interface Turn {
  enter(): void;
  leave(): void;
}

/** Follows asynchronous rules past their first `await`. */
export interface ResumptionWatch {
  /** Runs a rule's synchronous part. Every call is followed by one `decided`, once the rule's promise is settled or given up. */
  run<T>(turn: Turn, evaluate: () => T): T;
  decided(): void;
}
