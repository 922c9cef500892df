import type { Encoding } from "./span.ts";

/** A text inside of another, with the place in the outermost that it came from. */
export interface Inner {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly encodings: readonly Encoding[];
  readonly isBinary: boolean;
}
