import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { isMedia, nameOf } from "../../scan/redact.ts";
import { seek } from "../../scan/seek.ts";
import type { Detect, Span } from "../../scan/span.ts";
import { type Text, textsOf } from "../../scan/texts.ts";

/** Something about a person, with the text that it stands in. */
export interface Found extends Span {
  readonly text: Text;
}

export const personalIn = (value: WireValue, phase: Phase, detect: Detect): readonly Found[] => {
  const found: Found[] = [];
  for (const text of textsOf(value).texts) {
    if (
      text.text.length < (text.kind === "name" ? minNameCharacters : minCharacters) ||
      isMedia(text.name, text.beside)
    )
      continue;
    const name = text.kind === "name" ? "" : nameOf(text.name, text.beside);
    for (const span of seek(text.text, { phase, name }, detect, text)) found.push({ ...span, text });
  }
  return found;
};

/** `a@b.de` */
const minCharacters = 6;
/** The names of members are looked at for numbers of cards and people, and those are longer. */
const minNameCharacters = 9;
