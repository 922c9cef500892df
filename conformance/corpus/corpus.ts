import { envelopeEntries } from "./envelope.ts";
import { failingEntries } from "./failing.ts";
import type { Corpus } from "./format.ts";
import { grammarEntries } from "./grammar.ts";
import { helloEntries } from "./hello.ts";
import { humanEntries } from "./human.ts";
import { identityEntries } from "./identity.ts";
import { limitEntries } from "./limits.ts";
import { offlineEntries } from "./offline.ts";
import { pinningEntries } from "./pinning.ts";
import { pipeliningEntries } from "./pipelining.ts";
import { resendEntries } from "./resend.ts";
import { rewritingEntries } from "./rewriting.ts";
import { streamEntries } from "./streams.ts";
import { tokenEntries } from "./tokens.ts";
import { v1Cases, v1Negatives } from "./v1.ts";
import { valueEntries } from "./values.ts";

/** The corpus as it is generated; corpus.json is its text, and a test holds the two equal. */
export const corpus: Corpus = {
  corpus_version: 1,
  rules: "interlock.testing.fixtures:CONFORMANCE_ENGINE",
  cases: v1Cases,
  negatives: v1Negatives,
  entries_version: 1,
  entries: [
    ...grammarEntries,
    ...limitEntries,
    ...streamEntries,
    ...envelopeEntries,
    ...valueEntries,
    ...identityEntries,
    ...helloEntries,
    ...offlineEntries,
    ...tokenEntries,
    ...pinningEntries,
    ...pipeliningEntries,
    ...rewritingEntries,
    ...humanEntries,
    ...resendEntries,
    ...failingEntries,
  ],
};

/** UTF-8 JSON in ASCII, two spaces, sorted keys, a newline at the end. */
export const corpusText = (): string => `${ascii(JSON.stringify(sorted(corpus), null, 2))}\n`;

/** Keys sorted; own keys named `__proto__` kept. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
};

/** An editor or a terminal must not be able to hide or change a character of the corpus. */
const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
