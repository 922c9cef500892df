import type { WireValue } from "../../../wire/value.ts";
import { textsOf } from "../../scan/texts.ts";
import { type IsPhone, mayHoldPhones } from "./contact.ts";
import type { PiiKind } from "./kinds.ts";

let loaded: IsPhone | null = null;

/** Numbers without a country are read as of the United States, whose form without a plus is the only one looked for. */
const load = async (): Promise<IsPhone> => {
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  loaded = (number) => parsePhoneNumberFromString(number, "US")?.isValid() === true;
  return loaded;
};

const never: IsPhone = () => false;

/** What says whether a number is one; a promise only while it has to be loaded and a text may hold one. */
export const phonePlan = (kinds: readonly PiiKind[], value: WireValue): IsPhone | Promise<IsPhone> => {
  if (!kinds.includes("phone")) return never;
  if (loaded !== null) return loaded;
  return textsOf(value).texts.some(({ text }) => mayHoldPhones(text)) ? load() : never;
};
