import type { WireValue } from "../../../wire/value.ts";
import { defaultMaxScannedCharacters } from "../../scan/budget.ts";
import type { Finding } from "../finding.ts";
import { count, listOf, oneOf } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import type { IsPhone } from "./contact.ts";
import { personalIn } from "./find.ts";
import { piiInCalls } from "./in-calls.ts";
import { piiInResults } from "./in-results.ts";
import { detectorOf, type PiiKind } from "./kinds.ts";
import type { PiiOptions } from "./options.ts";
import { phonePlan } from "./phones.ts";

export type { PiiKind } from "./kinds.ts";
export type { PiiOptions } from "./options.ts";

const everything: readonly PiiKind[] = Object.freeze([
  "credit_card",
  "iban",
  "ssn",
  "email",
  "phone",
  "birth_date",
  "passport",
  "ipv4",
  "aws_arn",
]);

/** Numbers of cards, accounts and people. */
export const pii = definePack<PiiOptions>({
  id: "pii",
  notes: {
    title: "Personal data stays where it is",
    stops: [
      "Card numbers (issuer, length, check digit), IBANs (country, length, check digits) and US social security numbers in calls that leave this machine: asked about.",
      "Card and social security numbers in results: replaced by [REDACTED kind]; everything else in the result stays as it was.",
      "In the tier strict also mail addresses, telephone numbers, dates of birth, passports, public IPv4 addresses and AWS ARNs.",
      "The same in base64, hex, percent signs, entities and escapes.",
    ],
    cannot: [
      "Nine, ten or sixteen digits in a row are a time or an order unless a name or a word beside them says otherwise.",
      "Names and postal addresses of people are not looked for.",
      "Numbers are not looked at: a card that is a JSON number, and not a text, passes.",
      "Telephone numbers without a plus are read as of the United States.",
      "Calls that stay on this machine (files, commands) are not looked at.",
    ],
    tune: [
      "inCalls and inResults list the kinds; a tool that sends invoices wants inCalls without iban.",
      'calls: "redact" sends the call with markers instead of asking.',
    ],
  },
  options: {
    inCalls: {
      what: "Kinds that are looked for in calls that leave.",
      takes: listOf(oneOf(...everything)),
    },
    calls: { what: "A call that carries one: ask, block, or redact.", takes: oneOf("ask", "block", "redact") },
    inResults: { what: "Kinds that are taken out of results.", takes: listOf(oneOf(...everything)) },
    results: { what: "A result with one: redact, or block.", takes: oneOf("redact", "block") },
    maxScannedCharacters: {
      what: "Characters of one event that are looked at.",
      takes: count,
    },
    over: {
      what: "A longer result: block, or digest what is behind. A longer call is blocked.",
      takes: oneOf("block", "digest"),
    },
  },
  tiers: {
    starter: {
      inCalls: ["credit_card", "iban", "ssn"],
      calls: "ask",
      inResults: ["credit_card", "ssn"],
      results: "redact",
      maxScannedCharacters: defaultMaxScannedCharacters,
      over: "block",
    },
    strict: {
      inCalls: everything,
      calls: "block",
      inResults: everything,
      results: "redact",
      maxScannedCharacters: defaultMaxScannedCharacters,
      over: "block",
    },
  },
  rules: (options) => [piiInCalls(options), piiInResults(options)],
  scan: (value, phase, { inCalls, inResults }) => {
    const kinds = phase === "call" ? inCalls : inResults;
    const found = (isPhone: IsPhone): readonly Finding[] => findings(value, phase, kinds, isPhone);
    const plan = phonePlan(kinds, value);
    return plan instanceof Promise ? plan.then(found) : found(plan);
  },
});

const findings = (
  value: WireValue,
  phase: "call" | "result",
  kinds: readonly PiiKind[],
  isPhone: IsPhone,
): readonly Finding[] =>
  personalIn(value, phase, detectorOf(kinds, isPhone)).map(({ class: kind, start, end, confidence, text }) => ({
    pack: "pii",
    class: kind,
    place: text.place,
    start,
    end,
    confidence,
  }));
