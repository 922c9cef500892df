import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { type Found, foundIn } from "../../scan/found.ts";
import { leastRedactedNumber, nameOf } from "../../scan/redact.ts";
import type { Detect } from "../../scan/span.ts";
import { textsOf } from "../../scan/texts.ts";

/** `a@b.de`; the names of members are looked at for numbers of cards and people, and those are longer. */
const shortest = { value: 6, name: 9 } as const;

export const personalIn = (value: WireValue, phase: Phase, detect: Detect): readonly Found[] => {
  const found = foundIn(value, phase, detect, shortest);
  const numbers = cardNumbersIn(value, phase, detect);
  return numbers.length === 0 ? found : [...found, ...numbers];
};

/** `{card_number: 4111…}`: members that are numbers. Each is found at the name of its member. */
const cardNumbersIn = (value: WireValue, phase: Phase, detect: Detect): readonly Found[] => {
  const found: Found[] = [];
  for (const text of textsOf(value).texts) {
    if (text.kind !== "name") continue;
    const number = text.beside?.[text.text];
    if (typeof number !== "number" || number < leastRedactedNumber || !Number.isSafeInteger(number)) continue;
    const name = nameOf(text.text, text.beside);
    for (const span of detect(String(number), { phase, name, isBinary: false, encodings: [] }))
      if (span.class === "credit_card") found.push({ ...span, text });
  }
  return found;
};
