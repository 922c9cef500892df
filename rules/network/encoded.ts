import { isBelow } from "./suffix.ts";

/** How a URL takes data out without a body: in the labels of a host, which reach whoever answers for the domain, or encoded in its path. */

/** Parts of a name that hold what nobody would call a host. The longest that services make up themselves have 32 (an MD5, a UUID). */
const maxOwnLabel = 32;
const minChainLabel = 6;
/** Labels of a chain that look like data. */
const minChain = 4;
/** Characters of data in a name altogether. */
const minChainCharacters = 40;

/** Names whose labels are digests, account numbers and client ids by design; nobody receives them but the service. */
const services: ReadonlySet<string> = new Set(
  `amazonaws.com amazonaws.com.cn cloudfront.net awsapps.com googleusercontent.com googlesyndication.com
  google.com googlevideo.com windows.net azure.com azurewebsites.net azureedge.net azure-api.net
  azurecontainerapps.io akamaihd.net akamaized.net akamai.net fastly.net vercel.app netlify.app pages.dev
  run.app web.app firebaseapp.com found.io elastic-cloud.com mongodb.net neon.tech supabase.co sentry.io
  oraclecloud.com databricks.com snowflakecomputing.com cloudfunctions.net herokuapp.com github.dev gitpod.io
  dweb.link nftstorage.link w3s.link`.split(/\s+/),
);
/** What IPFS calls its content (https://docs.ipfs.tech/concepts/content-addressing/): base32 or base36 of a digest. */
const contentName = /^(?:baf|k51|k2k4)[a-z0-9]{40,60}$/;

/**
 * Does the host hold data? A chain of labels that look encoded, one longer than digests are, or one that decodes to text. `written`
 * is the host as it stands in the text: base64 has capitals, which a URL does not keep.
 */
export const hasDataInHost = (host: string, written: string): boolean => {
  if (host.length < 20 || host.startsWith("[") || isBelow(host, services)) return false;
  const labels = written
    .split(".")
    .slice(0, -2)
    .filter((label) => !contentName.test(label));
  const encoded = labels.filter((label) => label.length >= minChainLabel && looksEncoded(label));
  if (encoded.length >= minChain) return true;
  if (encoded.length >= 2 && encoded.reduce((sum, label) => sum + label.length, 0) >= minChainCharacters) return true;
  return labels.some((label) => (label.length > maxOwnLabel && looksEncoded(label)) || holdsText(label));
};

/** Letters and digits mixed as no name mixes them: hex with both, or runs of either broken off again and again. */
const looksEncoded = (label: string): boolean => {
  const text = label.replaceAll("-", "");
  if (!/^[A-Za-z0-9_=]+$/.test(text) || !/\d/.test(text) || label.split("-").length > 3) return false;
  if (/^[0-9a-f]+$/i.test(text)) return /[a-f]/i.test(text);
  return changes(text) / text.length >= 0.25;
};

/** How often letters and digits take turns. */
const changes = (text: string): number => {
  let count = 0;
  for (let at = 1; at < text.length; at++) if (isDigit(text, at) !== isDigit(text, at - 1)) count++;
  return count;
};

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
};

/** A label that is readable once decoded. By chance one of 16 characters in hex is, once in ten thousand, of 24 once in ten million. */
const holdsText = (label: string): boolean =>
  isHexText(label, 12) ||
  (label.length >= 16 &&
    (isBase32Text(label) || (/[A-Z]/.test(label) && /[a-z]/.test(label) && isBase64Text(label, 12))));

/** Does the text, as hex, decode to at least so many printable bytes and nothing else? */
const isHexText = (text: string, minBytes: number): boolean =>
  text.length >= 2 * minBytes &&
  text.length % 2 === 0 &&
  /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) &&
  /^(?:(?:2[0-9a-f]|[3-6][0-9a-f]|7[0-9a-e]|09|0a|0d))+$/i.test(text) &&
  // Digits alone in hex are 30 to 39: a number that happens to have many threes.
  !/^(?:[3][0-9])+$/.test(text) &&
  !/^\d+$/.test(text);

/** The same for base64, of either alphabet. */
const isBase64Text = (text: string, minBytes: number): boolean => {
  if (text.length * 3 < minBytes * 4 - 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return false;
  const bytes = Buffer.from(text, "base64");
  return bytes.length >= minBytes && isPrintable(bytes);
};

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

const isBase32Text = (label: string): boolean => {
  if (!/^[a-z2-7]+=*$/i.test(label) || !/[2-7]/.test(label)) return false;
  let bits = 0;
  let held = 0;
  const bytes: number[] = [];
  for (const letter of label.toLowerCase().replaceAll("=", "")) {
    bits = ((bits << 5) | base32.indexOf(letter)) & 0xfff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 0xff);
    }
  }
  return bytes.length >= 10 && isPrintable(bytes);
};

const isPrintable = (bytes: Iterable<number>): boolean => {
  for (const byte of bytes)
    if (!((byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d)) return false;
  return true;
};

/** Unreserved characters are never encoded by programs that make URLs (RFC 3986 2.3): whoever does it hides what they say. */
const minHidden = 3;
const hidden = /%(?:25)*(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/gi;

/** Are letters and digits percent-encoded, once or several times over? */
export const hidesLetters = (url: URL): boolean => {
  const text = `${url.pathname}${url.search}`;
  if (!text.includes("%")) return false;
  return (text.match(hidden)?.length ?? 0) >= minHidden || /%25(?:25)+(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/i.test(text);
};

/** Parameters whose values are encoded text by their standard: sign-in state, cursors, signed requests. */
const encodedByDesign =
  /^(?:state|cursor|after|before|page_?token|next_?token|continuation.*|saml.*|relaystate|id_token.*|request|policy|sig|signature|x-amz-.*|x-goog-.*|code_challenge|nonce|token|jwt|assertion|credential|ctx|context|filter|variables|extensions|config|c|gws_rd|ved|usqp|oq|rlz|tfs|data-.*)$/i;
const minHexBytes = 16;
/** Programs that draw what is written in their address. */
const drawing: ReadonlySet<string> = new Set([
  "mermaid.ink",
  "kroki.io",
  "www.plantuml.com",
  "plantuml.com",
  "quickchart.io",
  "img.shields.io",
  "mermaid.live",
]);

/**
 * Does the path or query carry text that was encoded so that it is not read? In hex from 16 bytes, which digests do not decode to;
 * in base64 from `minBytes`, because sign-ins and cursors have such values too.
 */
export const carriesEncodedText = (url: URL, minBytes: number): boolean => {
  if (url.href.length < 40 || drawing.has(url.hostname)) return false;
  const pathParts = url.pathname.split("/");
  return (
    [...url.searchParams].some(
      ([name, value]) =>
        isHexText(value, minHexBytes) ||
        (!encodedByDesign.test(name) && isBase64Text(value.replaceAll(" ", "+"), minBytes)),
    ) || pathParts.some((part) => isHexText(part, minHexBytes) || isBase64Text(part, minBytes))
  );
};
