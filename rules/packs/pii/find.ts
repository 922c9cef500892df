import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { type Found, foundIn } from "../../scan/found.ts";
import type { Detect } from "../../scan/span.ts";

/** `a@b.de`; the names of members are looked at for numbers of cards and people, and those are longer. */
const shortest = { value: 6, name: 9 } as const;

export const personalIn = (value: WireValue, phase: Phase, detect: Detect): readonly Found[] =>
  foundIn(value, phase, detect, shortest);
