import type { Detect, Encoding, Span } from "../../scan/span.ts";
import { cardsIn } from "./cards.ts";
import { type IsPhone, mailAddressesIn, phonesIn } from "./contact.ts";
import { ibansIn } from "./iban.ts";
import { addressesIn, arnsIn, birthDatesIn, passportsIn } from "./others.ts";
import { socialSecurityNumbersIn } from "./ssn.ts";

export type PiiKind =
  | "credit_card"
  | "iban"
  | "ssn"
  | "email"
  | "phone"
  | "birth_date"
  | "passport"
  | "ipv4"
  | "aws_arn";

/** Finds the kinds that were asked for. `isPhone` is asked only for `phone`. */
export const detectorOf = (kinds: readonly PiiKind[], isPhone: IsPhone): Detect => {
  const finders: readonly Finder[] = kinds.map((kind) =>
    kind === "phone" ? (text, name) => phonesIn(text, name, isPhone) : finderOf[kind],
  );
  return (text, { name, isBinary, encodings }) =>
    isBinary || text.length < minCharacters ? [] : finders.flatMap((find) => find(text, name, encodings));
};

type Finder = (text: string, name: string, encodings: readonly Encoding[]) => readonly Span[];

/** `a@b.de` */
const minCharacters = 6;

const finderOf: Readonly<Record<Exclude<PiiKind, "phone">, Finder>> = {
  credit_card: cardsIn,
  iban: ibansIn,
  ssn: socialSecurityNumbersIn,
  email: mailAddressesIn,
  birth_date: birthDatesIn,
  passport: passportsIn,
  ipv4: addressesIn,
  aws_arn: arnsIn,
};
