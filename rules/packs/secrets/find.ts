import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { isMedia, nameOf } from "../../scan/redact.ts";
import { seek } from "../../scan/seek.ts";
import type { Span } from "../../scan/span.ts";
import { type Text, textsOf } from "../../scan/texts.ts";
import { detectSecrets } from "./detect.ts";

/** A secret with the text that it stands in. */
export interface Found extends Span {
  readonly text: Text;
}

/** Every secret in a value. What is `over` the budget is for whoever asks: everything that `textsOf` gives is looked at. */
export const secretsIn = (value: WireValue, phase: Phase): readonly Found[] => {
  const found: Found[] = [];
  for (const text of textsOf(value).texts) {
    // Four characters open nothing, and pictures are bytes.
    if (
      text.text.length < (text.kind === "name" ? minNameCharacters : minCharacters) ||
      isMedia(text.name, text.beside)
    )
      continue;
    const name = text.kind === "name" ? "" : nameOf(text.name, text.beside);
    for (const span of seek(text.text, { phase, name }, detectSecrets, text)) found.push({ ...span, text });
  }
  return found;
};

const minCharacters = 4;
/** A token with its prefix is longer, and a password is no name. */
const minNameCharacters = 14;
