import { defaultMaxScannedCharacters } from "../../scan/budget.ts";
import type { Finding } from "../finding.ts";
import { count, listOf, oneOf, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import { canaries } from "./canary.ts";
import { secretsIn } from "./find.ts";
import { secretsInCalls } from "./in-calls.ts";
import { secretsInResults } from "./in-results.ts";
import type { SecretsOptions } from "./options.ts";
import { splitSecrets } from "./split.ts";

export type { SecretsOptions } from "./options.ts";

/** Tokens, keys and passwords: not in what leaves, and not in what the agent reads. */
export const secrets = definePack<SecretsOptions>({
  id: "secrets",
  notes: {
    title: "Secrets do not leave, and do not reach the agent",
    stops: [
      "Calls that carry a token of one of more than a hundred kinds that issuers have, a private key, a signed URL, a password in a URL, a wallet's key or seed phrase: blocked.",
      "The same in percent signs, base64, base32, hex, HTML entities, \\u escapes, invisible or wide characters, up to four layers deep.",
      "The same split over arguments that follow each other, or over the frames of one message.",
      "password = …, api_key: … and members of such names in calls that leave this machine: asked about.",
      "URLs that are percent-encoded three times or more, addresses of wallets in what leaves.",
      "Secrets in results: replaced by [REDACTED kind], field by field; numbers, JSON in texts, pictures and sound stay whole.",
      "Planted texts (canaries) in any argument, in any of those encodings, in pieces or backwards.",
    ],
    cannot: [
      "A secret without a prefix, a name beside it or a checksum looks like any other word; highEntropy asks about those.",
      "Encryption, other compression than gzip and zlib, and encodings that somebody invented are not undone.",
      "Opaque credentials in the headers of a request pass in the tier starter: that is how services are used.",
      "Passwords of containers that everybody knows (postgres:postgres@localhost) pass.",
      "A secret that is split over two results, or over two calls, is not put together.",
      "Numbers are not looked at: a secret that is a JSON number passes.",
    ],
    tune: [
      "allowAuthHeader names the hosts that a token with an issuer's prefix may be sent to in a header.",
      "canaries takes texts, or sha256: of a word where the rule set must not hold the text itself.",
      'over: "digest" lets a result through that is longer than maxScannedCharacters, with digests in the place of the rest.',
    ],
  },
  options: {
    allowAuthHeader: {
      what: "Hosts, over https, that headers may carry secrets to; `.example.com` is all below it.",
      takes: listOf(text),
    },
    opaqueHeaders: {
      what: "Credentials without a known form in headers: pass, or ask.",
      takes: oneOf("pass", "ask"),
    },
    namedSecrets: {
      what: "Where password = … and the like are held: in calls that leave, or everywhere.",
      takes: oneOf("outward", "everywhere"),
    },
    highEntropy: {
      what: "Words of 20 characters that look random, in what leaves: pass, or ask.",
      takes: oneOf("pass", "ask"),
    },
    canaries: {
      what: "Planted texts, of 8 characters or more, that block whatever carries them.",
      takes: listOf(text),
    },
    results: { what: "A result with a secret: redact, or block.", takes: oneOf("redact", "block") },
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
      allowAuthHeader: [],
      opaqueHeaders: "pass",
      namedSecrets: "outward",
      highEntropy: "pass",
      canaries: [],
      results: "redact",
      maxScannedCharacters: defaultMaxScannedCharacters,
      over: "block",
    },
    strict: {
      allowAuthHeader: [],
      opaqueHeaders: "ask",
      namedSecrets: "everywhere",
      highEntropy: "ask",
      canaries: [],
      results: "redact",
      maxScannedCharacters: defaultMaxScannedCharacters,
      over: "block",
    },
  },
  rules: (options) => [
    secretsInCalls(options),
    ...(options.canaries.length === 0 ? [] : [canaries(options.canaries)]),
    secretsInResults(options),
  ],
  scan: (value, phase) => {
    const found: Finding[] = secretsIn(value, phase).map(({ class: kind, start, end, confidence, text }) => ({
      pack: "secrets",
      class: kind,
      place: text.place,
      start,
      end,
      confidence,
    }));
    if (phase === "call")
      for (const { class: kind, place } of splitSecrets(value))
        found.push({ pack: "secrets", class: `split_${kind}`, place, start: 0, end: 0, confidence: 0.9 });
    return found;
  },
});
