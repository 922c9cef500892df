import { createHash } from "node:crypto";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";
import { holdsRun } from "../../text/decode/runs.ts";
import { sure, suspected } from "./kind.ts";
import { seedPhrasesIn } from "./seed-phrase.ts";

const base58check = createBase58check((bytes) => createHash("sha256").update(bytes).digest());

/**
 * Keys of wallets: WIF private keys, whose checksum must hold, and seed phrases. With `addresses` also where money is sent to: an
 * address in what leaves is how a program that was talked into paying gives itself away.
 */
export const walletsIn = (text: string, withAddresses: boolean): readonly Span[] => {
  if (text.length < (withAddresses ? minAddressCharacters : minKeyCharacters)) return none;
  const spans: Span[] = [];
  // Most texts have no word as long as that: it is seen by one look for each such length.
  const shortest = withAddresses ? minBase58Characters : minKeyCharacters;
  const mayHold = holdsRun(text, 0, text.length, shortest);
  for (const hit of mayHold ? hitsOf(withAddresses ? base58 : base58Keys, text) : []) {
    const kind = base58Kind(hit.text);
    if (kind === null || (kind === "bitcoin_address" && !withAddresses)) continue;
    spans.push(span(kind, hit.start, hit.text.length, sure));
  }
  if (text.length >= minKeyCharacters) spans.push(...seedPhrasesIn(text));
  if (withAddresses) {
    if (/bc1|tb1|ltc1/i.test(text))
      for (const hit of hitsOf(segwit, text))
        if (isSegwit(hit.text)) spans.push(span("bitcoin_address", hit.start, hit.text.length, sure));
    if (text.includes("0x"))
      for (const hit of hitsOf(hexadecimal, text)) {
        const kind = hexadecimalKind(hit.text, text.slice(Math.max(0, hit.start - 48), hit.start));
        if (kind !== null) spans.push(span(kind, hit.start, hit.text.length, suspected));
      }
  }
  return spans;
};

const none: readonly Span[] = Object.freeze([]);
/** `bc1` and eleven characters; twelve words of three letters, which are shorter than a key. */
const minAddressCharacters = 14;
const minKeyCharacters = 47;

const minBase58Characters = 25;

/** Base58 has no 0, O, I and l. Addresses begin with 1 or 3 (L, M of Litecoin), private keys with 5, K or L. */
const base58 = /(?<![A-Za-z0-9])[135KLM][1-9A-HJ-NP-Za-km-z]{24,51}(?![A-Za-z0-9])/g;
const base58Keys = /(?<![A-Za-z0-9])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/g;

const base58Kind = (text: string): "bitcoin_private_key" | "bitcoin_address" | null => {
  // A checksum is worth asking for only where the letters are mixed: numbers and words are not encoded bytes.
  if (!/[A-Z]/.test(text) || !/[a-z]/.test(text)) return null;
  try {
    const bytes = base58check.decode(text);
    const version = bytes[0] as number;
    if (bytes.length === 33 || bytes.length === 34) return privateVersions.has(version) ? "bitcoin_private_key" : null;
    return bytes.length === 21 && addressVersions.has(version) ? "bitcoin_address" : null;
  } catch {
    return null;
  }
};

const privateVersions: ReadonlySet<number> = new Set([0x80, 0xb0, 0x9e]);
const addressVersions: ReadonlySet<number> = new Set([0x00, 0x05, 0x30, 0x32]);

const segwit = /(?<![A-Za-z0-9])(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{11,87}(?![A-Za-z0-9])/gi;

const isSegwit = (text: string): boolean => {
  const lower = text.toLowerCase() as `${string}1${string}`;
  return bech32.decodeUnsafe(lower, 90) !== undefined || bech32m.decodeUnsafe(lower, 90) !== undefined;
};

const hexadecimal = /(?<![A-Za-z0-9])0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9A-Za-z])/gi;

/** An account and the digest of a transaction look alike: what stands before them says which it is. */
const hexadecimalKind = (text: string, before: string): "ethereum_private_key" | "ethereum_address" | null => {
  if (text.length === 66)
    return /priv|secret|mnemonic|seed|pk["']?[=:]|key["']?[=:\s"']{1,4}$/i.test(before) ? "ethereum_private_key" : null;
  return /wallet|addr|recipient|payto|pay_to|\beth\b|send|donat|[?&](?:to|a|w)=$/i.test(before)
    ? "ethereum_address"
    : null;
};

const span = (kind: string, start: number, characters: number, confidence: number): Span => ({
  class: kind,
  start,
  end: start + characters,
  confidence,
  encodings: [],
});
