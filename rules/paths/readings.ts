import { posix } from "node:path";

/**
 * What one spelling may mean to the tool that gets it: the text as it stands, a `file:` URL's path, percent-encodings taken out
 * (once, twice, overlong and `%u` forms as IIS had them), backslashes as separators, white space and quotes around it gone.
 * The first reading is the text itself. Tools differ, so a judge must be content with every reading.
 */
export const readingsOf = (spelling: string): readonly string[] => {
  if (isPlain(spelling)) return [spelling];
  const found = new Set([spelling]);
  const take = (reading: string): void => {
    if (found.size < maxReadings) found.add(reading);
  };
  const bare = unquoted(spelling);
  take(bare);
  const inUrl = pathOfUrl(bare);
  // A URL of the network names no file here.
  if (inUrl === null) return [...found];
  take(inUrl);
  // A file has no query, but the URL of one may: `file:///etc/passwd?x#y`.
  if (inUrl !== bare) take(inUrl.replace(/[?#].*$/s, ""));
  let before = inUrl;
  for (let round = 0; round < maxDecodings; round++) {
    const decoded = percentDecoded(before);
    if (decoded === before) break;
    take(decoded);
    before = decoded;
  }
  for (const reading of [...found]) {
    const slashed = withSlashes(reading);
    if (slashed !== reading) take(slashed);
  }
  return [...found];
};

const maxReadings = 12;
const maxDecodings = 3;

/** Letters that every tool reads in one way. */
const plain = /^[\w./~@+,=()[\]{}$*?#&!^|;<>-][\w./~@+,=()[\]{}$*?#&!^|;<> -]*$/;
const isPlain = (text: string): boolean => plain.test(text) && !text.endsWith(" ");

const unquoted = (text: string): string => {
  const trimmed = text.trim();
  const quote = trimmed[0];
  return trimmed.length > 2 && (quote === '"' || quote === "'" || quote === "`") && trimmed.endsWith(quote)
    ? trimmed.slice(1, -1)
    : trimmed;
};

const network: ReadonlySet<string> = new Set(["http", "https", "ws", "wss", "data", "mailto", "tel"]);

/** The path that a URL holds; the text itself where it is none; null where it leads to the network. */
const pathOfUrl = (text: string): string | null => {
  // `jar:file:/a!/b` and `view-source:file:///a` hold a URL of their own.
  const inner = text.replace(/^(?:jar|view-source|url):/i, "");
  const scheme = /^([a-z][a-z0-9+.-]{1,20}):/i.exec(inner)?.[1]?.toLowerCase();
  if (scheme === undefined) return inner;
  if (network.has(scheme)) return null;
  const rest = inner.slice(scheme.length + 1);
  if (!rest.startsWith("//")) return scheme === "file" ? rest : inner;
  const path = rest.indexOf("/", 2);
  // `file://C:/x` and `file://~/.ssh` have no host, whatever the syntax says.
  const host = path < 0 ? rest.slice(2) : rest.slice(2, path);
  if (/^(?:[a-z][:|]|~|\.{1,2}$)/i.test(host)) return rest.slice(2);
  return path < 0 ? host : rest.slice(path);
};

/** `.`, `/` and `\` in more bytes than UTF-8 allows, which some decoders take (CVE-2000-0884). */
const overlong: readonly (readonly [RegExp, string])[] = [
  [/%(?:c0%ae|e0%80%ae|f0%80%80%ae|c0%2e|u002e|uff0e|u2024)/gi, "."],
  [/%(?:c0%af|e0%80%af|f0%80%80%af|c0%2f|u002f|uff0f|u2215|u2044)/gi, "/"],
  [/%(?:c1%9c|e0%81%9c|c0%5c|u005c|uff3c|u2216)/gi, "\\"],
];

/** One round. A malformed escape (`%zz`) leaves the others standing: curl decodes those that it can. */
const percentDecoded = (text: string): string => {
  if (!text.includes("%")) return text;
  let out = text;
  for (const [pattern, plainLetter] of overlong) out = out.replace(pattern, plainLetter);
  return out.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll("%", ""), "hex").toString());
};

/** Backslashes, and letters that look like a slash. NFKC has the wide forms, but not the mathematical ones. */
export const withSlashes = (text: string): string =>
  text.replace(/[\\\u2044\u2215\u29f8\uff0f\u2216\u29f5\u29f9\uff3c\ufe68]/g, "/");

/** By the text alone: `a//b/./c/../d` is `a/b/d`. */
export const normalized = (text: string): string => posix.normalize(text);
