import { domainToUnicode } from "node:url";

/** Scripts of which a label may be: one, or those that are written together in one language (UTS #39 5.2, highly restrictive). */
const allowed: readonly string[] = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Tibetan",
  "Myanmar",
  "Georgian",
  "Ethiopic",
  "Khmer",
  "Mongolian",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Bopomofo",
  "Latin Han Hiragana Katakana",
  "Latin Han Bopomofo",
  "Latin Han Hangul",
];

let labels: readonly RegExp[] | null = null;

/** Any other mixture in one label is a disguise. Made for the first internationalised name: tables of scripts take some 15 ms. */
const isOfOneLanguage = (label: string): boolean => {
  labels ??= allowed.map(
    (scripts) =>
      new RegExp(
        `^[${[...scripts.split(" "), "Common", "Inherited"].map((script) => `\\p{Script=${script}}`).join("")}]*$`,
        "u",
      ),
  );
  return labels.some((one) => one.test(label));
};

/** Names that are worth imitating, beside those that a rule set allows. */
const imitated: readonly string[] = [
  "adobe",
  "airbnb",
  "alibaba",
  "amazon",
  "amazonaws",
  "anthropic",
  "apple",
  "atlassian",
  "binance",
  "bitbucket",
  "blockchain",
  "booking",
  "chase",
  "claude",
  "cloudflare",
  "coinbase",
  "discord",
  "docker",
  "dropbox",
  "ebay",
  "facebook",
  "fedex",
  "github",
  "githubusercontent",
  "gitlab",
  "gmail",
  "google",
  "googleapis",
  "heroku",
  "icloud",
  "instagram",
  "kubernetes",
  "linkedin",
  "live",
  "metamask",
  "microsoft",
  "mozilla",
  "netflix",
  "notion",
  "npmjs",
  "office",
  "openai",
  "oracle",
  "outlook",
  "paypal",
  "pypi",
  "reddit",
  "salesforce",
  "shopify",
  "skype",
  "slack",
  "spotify",
  "stripe",
  "telegram",
  "tiktok",
  "twitter",
  "vercel",
  "visa",
  "whatsapp",
  "wikipedia",
  "yahoo",
  "youtube",
  "zoom",
];

/** Nothing to look at in a name without an internationalised label: nearly every one. */
export const mayLookAlike = (host: string): boolean => host.includes("xn--");

/**
 * Does the host look like another? By the Unicode consortium's rules for identifiers (UTS #39): a label that mixes scripts, a
 * label of another script in which every letter passes for a Latin one, and one that reads as a known name. `alike` writes a text
 * with the Latin letters that it passes for; the table behind it is loaded by whoever asks.
 */
export const looksAlike = (host: string, alike: (text: string) => string, known: readonly string[] = []): boolean => {
  const readable = domainToUnicode(host);
  // The parser refused it: invalid Punycode, or letters that names may not have.
  if (readable === "") return true;
  const labels = readable.split(".");
  const inAscii = isAscii(labels.at(-1) ?? "");
  const names = new Set([...imitated, ...known].map((name) => skeleton(name, alike)));
  return labels.some((label) => {
    if (isAscii(label)) return false;
    if (!isOfOneLanguage(label)) return true;
    const shape = skeleton(label, alike);
    return names.has(shape) || (inAscii && !/\p{Script=Latin}/u.test(label) && isAscii(shape));
  });
};

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** The letters that a text passes for, without the marks on them. */
const skeleton = (text: string, alike: (text: string) => string): string =>
  alike(text.normalize("NFD").replace(/\p{Mn}/gu, ""))
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
