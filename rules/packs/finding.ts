import type { PackId } from "./pack.ts";

/** What a detector found in one text of a value. It never holds the text itself. */
export interface Finding {
  readonly pack: PackId;
  /** What it is, in lower case with underscores: `github_token`, `instruction_to_reader`. Shown in reasons and markers. */
  readonly class: string;
  /** Where in the value: `headers.Authorization`, `content[0].text`. */
  readonly place: string;
  /** UTF-16 offsets in the text at `place`; what redaction replaces. */
  readonly start: number;
  readonly end: number;
  /** From 0 to 1. A checksum that holds, or a prefix that only one issuer uses, is above 0.9. */
  readonly confidence: number;
}
