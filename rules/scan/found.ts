import type { Phase } from "../../wire/event.ts";
import type { WireValue } from "../../wire/value.ts";
import { isMedia, nameOf } from "./redact.ts";
import { seek } from "./seek.ts";
import type { Detect, Span } from "./span.ts";
import { type Text, textsOf } from "./texts.ts";

/** Something that was found, with the text that it stands in. */
export interface Found extends Span {
  readonly text: Text;
}

/** Shorter texts hold nothing of what is looked for. UTF-16 units. */
export interface Shortest {
  readonly value: number;
  /** In the name of a member. */
  readonly name: number;
}

/**
 * Everything that `detect` finds in the texts of a value; pictures and sound are bytes. What is over the budget is for whoever asks:
 * everything that `textsOf` gives is looked at.
 */
export const foundIn = (value: WireValue, phase: Phase, detect: Detect, shortest: Shortest): readonly Found[] => {
  const found: Found[] = [];
  for (const text of textsOf(value).texts) {
    const isName = text.kind === "name";
    if (text.text.length < (isName ? shortest.name : shortest.value) || isMedia(text.name, text.beside)) continue;
    const name = isName ? "" : nameOf(text.name, text.beside);
    for (const span of seek(text.text, { phase, name }, detect, text)) found.push({ ...span, text });
  }
  return found;
};
