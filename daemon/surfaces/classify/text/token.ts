import { inPlainLetters } from "../../../../rules/text/normalise/letters.ts";
import { asItLooks, mixesScripts } from "../../../../rules/text/normalise/look-alikes.ts";
import { controlSequences, hasControls, withoutControls } from "../../../../rules/text/normalise/terminal.ts";

export type TokenKind = "word" | "url" | "mail" | "host" | "path";

/** One word of a text as it reads: in lower case, in plain letters. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Counted from 0; a full stop, a blank line or a new point of a list begins the next. */
  readonly sentence: number;
}

/** Disguises of an address that people read as one: `evil[.]com`, `name (at) evil dot com`, `hxxps://`. */
const readdressed = (text: string): string =>
  /\[\.\]|\(\.\)|\{\.\}|[[({ ]dot[\])} ]|[[({ ]at[\])} ]|hxxp/i.test(text)
    ? text
        .replaceAll(/\s?[[({](?:\.|dot)[\])}]\s?/gi, ".")
        .replaceAll(/\s?[[({](?:@|at)[\])}]\s?/gi, "@")
        .replaceAll(
          /\b([a-z0-9-]{2,63}) dot ((?:com|net|org|io|dev|app|xyz|ru|cn|co|site|online|info|me|top))\b/gi,
          "$1.$2",
        )
        .replaceAll(/\b([a-z0-9._-]{2,63}) at ([a-z0-9-]{1,63}\.[a-z]{2,24})\b/gi, "$1@$2")
        .replaceAll(/\bhxxp/gi, "http")
    : text;

/** The text as it is seen by whoever reads it, in its own case. */
const asRead = (text: string): string => {
  const seen = hasControls(text) ? withoutControls(text, controlSequences(text)).text : text;
  const plain = inPlainLetters(seen).text;
  return readdressed(
    mixesScripts(plain)
      ? asItLooks(plain).text.replaceAll(/[ɛεʋυɩικηνρτχωγσαɑ]/g, (letter) => likeLatin[letter] ?? letter)
      : plain,
  );
};

/** Letters of words in two scripts that the table of look-alikes writes as letters of no alphabet. */
const likeLatin: Readonly<Record<string, string>> = {
  ...{ ɛ: "e", ε: "e", ʋ: "u", υ: "u", ɩ: "i", ι: "i", κ: "k", η: "n", ν: "v" },
  ...{ ρ: "p", τ: "t", χ: "x", ω: "w", γ: "y", σ: "o", α: "a", ɑ: "a" },
};

/** Each part is bounded, so that no text makes it look at a letter more often than some hundred times. */
const pieces = new RegExp(
  [
    /(?<url>[a-z][a-z0-9+.-]{1,20}:\/{2}[^\s"'<>()`{}|\\]{1,2048}|\/\/(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}[^\s"'<>()`{}|\\]{0,512}|mailto:[^\s"'<>()`]{1,320})/,
    /(?<mail>[a-z0-9_.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6})/,
    /(?<path>(?:~|\$\{?home\}?|%userprofile%|\.{1,2}|[a-z]:)?(?:[\\/][a-z0-9_.@%+*-]{1,64}){1,16}[\\/]?|(?<![a-z0-9_])\.[a-z][a-z0-9_.-]{1,40}(?:[\\/][a-z0-9_.-]{1,64}){0,8})/,
    /(?<host>\[?(?:\d{1,3}\.){3}\d{1,3}\]?|(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}[a-z]{2,24}(?![a-z0-9_(]))/,
    /(?<word>[\p{L}\p{N}_$]{1,128}(?:['\u2019-][\p{L}\p{N}_]{1,64}){0,6})/u,
    /(?<end>[.!?;]+(?=$|["')\]]))/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);

/** What lies between spaces, and a break before it: a blank line, or the beginning of a point of a list. */
const chunks = /(\s*)(\S+)/g;
const point = /^(?:[-*\u2022#>]|\d{1,3}[.)])/;
/** A word as nearly all are: letters, perhaps in quotation marks, perhaps the last of its sentence. */
const plainWord = /^["'(`*[{]{0,3}([A-Za-z0-9_]+(?:['-][A-Za-z0-9_]+)*)["')`*\]}]{0,3}([,:]|[.!?;]+)?["')`*\]]{0,3}$/;
const longestPlain = 64;

const mostTokens = 100_000;

/** The words of a text that has been made readable. Linear. */
const tokensOf = (read: string): readonly Token[] => {
  const tokens: Token[] = [];
  let sentence = 0;
  for (const { 1: space = "", 2: chunk = "" } of read.matchAll(chunks)) {
    const line = space.indexOf("\n");
    if (line >= 0 && (space.indexOf("\n", line + 1) >= 0 || point.test(chunk))) sentence++;
    const plain = chunk.length <= longestPlain ? plainWord.exec(chunk) : null;
    if (plain !== null) {
      tokens.push(wordOf(plain[1]!, sentence));
      if (plain[2] !== undefined && !/[,:]/.test(plain[2])) sentence++;
    } else sentence = inPieces(chunk, sentence, tokens);
    if (tokens.length >= mostTokens) break;
  }
  return tokens;
};

const wordOf = (found: string, sentence: number): Token => ({
  kind: "word",
  text: found.toLowerCase().replaceAll("\u2019", "'"),
  sentence,
});

/** A chunk that is more than a word; answers the sentence that it ends in. */
const inPieces = (chunk: string, first: number, tokens: Token[]): number => {
  let sentence = first;
  for (const { 0: found, groups } of chunk.matchAll(pieces)) {
    const matched = kindOf(groups ?? {});
    // `<data>.example.net`: what follows the dot is a host.
    const kind = matched === "path" && hostBehindDot.test(found) ? "host" : matched;
    if (kind === null) sentence++;
    else if (kind === "word") tokens.push(wordOf(found, sentence));
    else {
      const text = found.replace(/[.,;:!?]+$/, "").replace(kind === "host" ? /^\./ : /^(?!)/, "");
      tokens.push({ kind, text: text.toLowerCase(), sentence });
      // What an address swallowed of the end of its sentence.
      if (/[.!?;]$/.test(found)) sentence++;
    }
  }
  return sentence;
};

const hostBehindDot =
  /^\.(?:[a-z0-9-]{1,63}\.){1,6}(?:com|net|org|io|dev|app|co|ru|cn|xyz|top|info|site|online|me|cc|eu|de|uk|us|in|to)\.?$/i;

/** Null: the end of a sentence. */
const kindOf = (groups: Readonly<Record<string, string | undefined>>): TokenKind | null => {
  for (const kind of ["url", "mail", "path", "host", "word"] as const) if (groups[kind] !== undefined) return kind;
  return null;
};

const known = new Map<string, readonly Token[]>();
const mostKnown = 1_024;
const longestKnown = 8_192;

/** The same of a text as it came; an approved and an observed definition have most texts in common. */
export const tokensIn = (text: string): readonly Token[] => {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens = tokensOf(asRead(text));
  if (text.length > longestKnown) return tokens;
  if (known.size >= mostKnown) known.clear();
  known.set(text, tokens);
  return tokens;
};
