/** What is done with a result: refused, cleaned of the passage, or handed on under a heading that says it is not to be obeyed. */
export type Measure = "block" | "redact" | "mark" | "pass";

export interface InjectionOptions {
  /** What is done with a result that surely holds an injection. */
  readonly high: Measure;
  /** What is done with one that may. */
  readonly medium: Measure;
  /** From which score, of 0 to 1, a text surely holds one. */
  readonly highAt: number;
  /** From which score it may. */
  readonly mediumAt: number;
  /** What is done with a call that surely carries one on, to a memory, a message or another agent. */
  readonly calls: "block" | "escalate" | "pass";
  /** Is every call looked at, those that write files and run commands included? */
  readonly callsLookedAt: "carriers" | "all";
  /** UTF-16 units of all texts of one event. More is blocked. */
  readonly maxScannedCharacters: number;
  /** A classifier of your own, asked about the longest texts of a result that the rules do not block already. Null: none. */
  readonly classifier: ClassifierOptions | null;
}

export interface ClassifierOptions {
  /** It is sent `{"text": "..."}` by POST and answers `{"score": 0.93}`. */
  readonly url: string;
  readonly timeout_ms: number;
  /** The first characters of a text that are sent. */
  readonly maxCharacters: number;
  /** Texts of one result that are sent, the longest first. */
  readonly maxTexts: number;
  /** Failures in a row after which it is not asked for `pause_ms`. */
  readonly failuresBeforePause: number;
  readonly pause_ms: number;
  /** What a result becomes about which it could not be asked. */
  readonly fail: "block" | "ignore_classifier";
}
