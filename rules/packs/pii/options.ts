import type { Over } from "../../scan/budget.ts";
import type { PiiKind } from "./kinds.ts";

export interface PiiOptions {
  /** What is looked for in calls that leave this machine. */
  readonly inCalls?: readonly PiiKind[];
  /** A call that carries it: asked about, blocked, or sent with markers in its place. */
  readonly calls?: "ask" | "block" | "redact";
  /** What is taken out of results. */
  readonly inResults?: readonly PiiKind[];
  readonly results?: "redact" | "block";
  readonly maxScannedCharacters?: number;
  readonly over?: Over;
}
