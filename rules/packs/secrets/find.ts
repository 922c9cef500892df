import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { type Found, foundIn } from "../../scan/found.ts";
import { detectSecrets } from "./detect.ts";

/** Four characters open nothing. A token with its prefix is longer than the name of a member, and a password is no name. */
const shortest = { value: 4, name: 14 } as const;

/** Every secret in a value. */
export const secretsIn = (value: WireValue, phase: Phase): readonly Found[] =>
  foundIn(value, phase, detectSecrets, shortest);
