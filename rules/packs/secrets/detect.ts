import { hitsOf } from "../../scan/hits.ts";
import { Scout } from "../../scan/scout.ts";
import type { About, Detect, Span } from "../../scan/span.ts";
import { isPrivatePart, isUserAndPassword, secretsOfFormats } from "./formats.ts";
import { issuers } from "./issuers.ts";
import { modelIssuers } from "./issuers-of-models.ts";
import { paymentIssuers } from "./issuers-of-payments.ts";
import { platformIssuers } from "./issuers-of-platforms.ts";
import { jsonWebTokens } from "./jwt.ts";
import { type Kind, likely, suspected } from "./kind.ts";
import { namedMember, namedSecrets } from "./named.ts";
import { privateKeysIn } from "./pem.ts";
import { isPlaceholderToken } from "./placeholder.ts";
import { signatures } from "./signatures.ts";
import { entropyBits } from "./strength.ts";
import { passwordsInUrls } from "./urls.ts";
import { walletsIn } from "./wallets.ts";

const kinds: readonly Kind[] = [
  ...issuers,
  ...modelIssuers,
  ...paymentIssuers,
  ...platformIssuers,
  ...jsonWebTokens,
  ...signatures,
];

const byLead = new Map<string, readonly Kind[]>();
for (const kind of kinds) for (const lead of kind.leads) byLead.set(lead, [...(byLead.get(lead) ?? []), kind]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** Longer leads first: `sk-ant-` before `sk-`. */
const leads = new RegExp(
  [...byLead.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|"),
  "g",
);

const scout = new Scout([...byLead.keys()]);

const none: readonly Span[] = Object.freeze([]);

/** The shortest that is one: `Basic ` with eight characters. */
const minPrefixedCharacters = 14;
/** Three parts of a token of Discord. */
const minDiscordCharacters = 57;

/** Tokens with a prefix. */
export const prefixedSecrets = (text: string): readonly Span[] => {
  if (text.length < minPrefixedCharacters) return none;
  let near = scout.near(text, 0);
  if (near < 0) return none;
  const spans: Span[] = [];
  for (; near >= 0; near = scout.near(text, leads.lastIndex)) {
    leads.lastIndex = near;
    const hit = leads.exec(text);
    if (hit === null) break;
    for (const { class: found, pattern, before = 0, confidence, accepts } of byLead.get(hit[0]) ?? []) {
      pattern.lastIndex = hit.index;
      const match = pattern.exec(text)?.[0];
      if (
        match === undefined ||
        accepts?.(match) === false ||
        isPlaceholderToken(text.slice(hit.index - before, hit.index + match.length))
      )
        continue;
      const end = hit.index + match.length;
      spans.push({ class: found, start: hit.index - before, end, confidence, encodings: [] });
      // Behind `Bearer ` a token may have a prefix of its own.
      if (confidence >= likely) leads.lastIndex = end;
      break;
    }
  }
  return spans;
};

/** Everything in one text that is a secret. What leaves (`call`) is looked at for where money goes too. */
export const detectSecrets: Detect = (text, about) => {
  const prefixed = prefixedSecrets(text);
  if (about.isBinary) return joined([prefixed, keysOfAws(text, prefixed, about)]);
  const spans = joined([
    prefixed,
    privateKeysIn(text),
    passwordsInUrls(text),
    namedSecrets(text),
    secretsOfFormats(text),
    walletsIn(text, about.phase === "call"),
    text.length < minDiscordCharacters ? none : discordTokens(text),
    keysOfAws(text, prefixed, about),
  ]);
  if (spans.length > 0) return spans;
  const member = namedMember(about.name, text) ?? memberOfFormat(about.name, text);
  return member === null ? none : [member];
};

/** `{"auths": {"registry": {"auth": "…"}}}` of Docker, and `{"kty": "EC", "d": "…"}` of RFC 7518, as data. */
const memberOfFormat = (name: string, text: string): Span | null => {
  const kind =
    name === "auth" && isUserAndPassword(text)
      ? "basic_authorization"
      : name === "d" && isPrivatePart(text)
        ? "private_key"
        : null;
  return kind === null ? null : { class: kind, start: 0, end: text.length, confidence: suspected, encodings: [] };
};

/** Most texts hold nothing: no list is made for them. */
const joined = (lists: readonly (readonly Span[])[]): readonly Span[] =>
  lists.every((list) => list.length === 0) ? none : lists.flat();

/** Base64 of the number of an application, a time, and a signature. The number begins with a digit, which fixes four characters. */
const discordToken = /(?<![\w-])[MNO][DTjz][AEIMQUYcgk][w-z0-5][\w-]{18,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g;

const discordTokens = (text: string): readonly Span[] =>
  hitsOf(discordToken, text).map(({ start, end }) => ({
    class: "discord_token",
    start,
    end,
    confidence: likely,
    encodings: [],
  }));

/** Forty characters of base64, as the secret half of a key pair of AWS is. */
const forty = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** The secret half beside the id of the key, or alone in what somebody took the trouble to encode. */
const keysOfAws = (text: string, prefixed: readonly Span[], about: About): readonly Span[] => {
  const isBesideId = prefixed.some(({ class: found }) => found === "aws_access_key_id");
  const isEncoded = about.phase === "call" && about.encodings.length > 0;
  if (!isBesideId && !isEncoded) return none;
  const spans: Span[] = [];
  for (const { start, end, text: key } of hitsOf(forty, text))
    if (/[0-9]/.test(key) && /[a-z]/.test(key) && /[A-Z]/.test(key) && entropyBits(key) >= 4)
      spans.push({
        class: "aws_secret_access_key",
        start,
        end,
        confidence: isBesideId ? likely : suspected,
        encodings: [],
      });
  return spans;
};
