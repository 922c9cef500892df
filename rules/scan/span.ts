import type { Phase } from "../../wire/event.ts";

/** How a text was written so that whoever looks for words does not see them. */
export type Encoding =
  | "percent"
  | "base64"
  | "base32"
  | "hex"
  | "entities"
  | "escapes"
  | "folded"
  | "spaced"
  | "numbers";

/** Something found in one text; `start` and `end` are UTF-16 offsets in the text as it came, whatever was decoded. */
export interface Span {
  readonly class: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** From the outermost; empty where it stands as it is. */
  readonly encodings: readonly Encoding[];
}

/** What is known of a text beside the text. */
export interface About {
  readonly phase: Phase;
  /** The name that the text has in its object: `Authorization` of a header, also where it stands as `{name, value}`. */
  readonly name: string;
  /** Decoded bytes that are no text: only what cannot be chance is looked for. */
  readonly isBinary: boolean;
  readonly encodings: readonly Encoding[];
}

/** Looks at one text. Linear in its length, whatever it holds. */
export type Detect = (text: string, about: About) => readonly Span[];

/** In order, without overlaps: what overlaps is one span of the surer class. */
export const merged = (spans: readonly Span[]): readonly Span[] => {
  if (spans.length < 2) return spans;
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const before = result.at(-1);
    if (before === undefined || before.end <= span.start) {
      result.push(span);
      continue;
    }
    const surer = span.confidence > before.confidence ? span : before;
    result[result.length - 1] = { ...surer, start: before.start, end: Math.max(before.end, span.end) };
  }
  return result;
};
