import { normalized, readingsOf, withSlashes } from "./readings.ts";

/** How a text climbs out of a folder without saying so. */
export type Traversal = "encoded" | "nested" | "null_byte" | "backslash";

const mayTraverse =
  /%[0-9a-f]{2}|%u|\.\.|\0|[\u2024-\u2026\u2044\u2215\u29f8\uff0e\uff0f\u2216\u29f5\u29f9\uff3c\ufe52\ufe68]/i;
const maxCharacters = 4_096;

/**
 * Does this text hide a `..`: percent-encoded once or more, overlong (`%c0%ae`), in letters that look like dots or slashes, nested so
 * that a filter that takes `../` out makes one (`....//`), with backslashes, or cut by a null byte? Null where it does not. A plain `../x` hides nothing.
 */
export const traversalIn = (text: string): Traversal | null => {
  if (text.length > maxCharacters || !mayTraverse.test(text)) return null;
  if (/\0|%00|%2500|%c0%80/i.test(text)) return "null_byte";
  const open = climbs(text);
  const path = withoutHost(text);
  const readings = readingsOf(path);
  if (
    readings.some(
      (reading) => climbs(withSlashes(reading.normalize("NFKC"))) > Math.max(open, climbs(path.replaceAll("\\", "/"))),
    )
  )
    return "encoded";
  if (/(?:^|[\\/])\.\.;[\\/]/.test(path) || climbs(withoutClimbs(path)) > 0) return "nested";
  return climbs(path.replaceAll("\\", "/")) >= 2 && /\.\.\\/.test(path) ? "backslash" : null;
};

/** A URL of the network is looked at from its path on; its host was another's to judge. */
const withoutHost = (text: string): string => {
  const scheme = /^[a-z][a-z0-9+.-]{1,20}:\/\//i.exec(text)?.[0];
  if (scheme === undefined) return text;
  const path = text.indexOf("/", scheme.length);
  return path < 0 ? "" : text.slice(path);
};

const climbs = (text: string): number => {
  let found = 0;
  for (let at = text.indexOf(".."); at >= 0; at = text.indexOf("..", at + 2))
    if ((at === 0 || isBoundary(text[at - 1])) && (text[at + 2] === undefined || isBoundary(text[at + 2]))) found++;
  return found;
};
const isBoundary = (letter: string | undefined): boolean =>
  letter === "/" || letter === "=" || letter === "&" || letter === "?";

const withoutClimbs = (text: string): string => text.replaceAll("../", "").replaceAll("..\\", "").replaceAll("\\", "/");

/** How many folders a relative path leaves for good: 2 for `../a/../../x`. */
export const foldersLeft = (path: string): number => {
  const parts = normalized(withSlashes(path)).split("/");
  const first = parts.findIndex((part) => part !== "..");
  return first < 0 ? parts.length : first;
};
