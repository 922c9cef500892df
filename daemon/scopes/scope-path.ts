import { maxNameBytes } from "../../wire/limits.ts";
import { normalText } from "../contracts/policies/normal-text.ts";
import { maxSegments } from "./document.ts";

/** What is wrong with a scope's path; null where nothing is. */
export const scopePathProblem = (
  path: string,
): { readonly code: "scope_malformed" | "scope_too_deep"; readonly what: string } | null => {
  const malformed = (what: string) => ({ code: "scope_malformed", what }) as const;
  if (Buffer.byteLength(path) > maxNameBytes) return malformed(`is longer than ${maxNameBytes} bytes`);
  const segments = path.split("/");
  if (segments.length > maxSegments) return { code: "scope_too_deep", what: `has more than ${maxSegments} segments` };
  for (const segment of segments) {
    if (segment === "") return malformed("has an empty segment; a path is written like acme/payments");
    if (segment === "." || segment === "..") return malformed("has a segment of dots, which names nobody");
    if (segment !== segment.normalize("NFC")) return malformed("is not in Unicode's normal form C");
    if (segment !== segment.trim() || hidden.test(segment))
      return malformed("has a character that shows nothing, or a space at an end");
  }
  return null;
};

/** Controls, separators of lines, what is ignored when it is shown, and half a character. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Two paths of one such text look the same to who reads them. */
export const shownPath = (path: string): string => path.split("/").map(normalText).join("/");

/** `acme`, `acme/payments`, `acme/payments/agent42`: root first. */
export const prefixesOf = (path: string): readonly string[] => {
  const prefixes: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) prefixes.push(path.slice(0, at));
  prefixes.push(path);
  return prefixes;
};

/**
 * The deepest scope on a principal's path; null where there is none. A principal is taken as it is written: nothing is
 * dropped from it and nothing folded, so that `acme//x` and `ACME` are nobody's.
 */
export const scopeOf = (principal: string | null, isScope: (path: string) => boolean): string | null => {
  if (principal === null || principal.startsWith("/") || principal.endsWith("/") || principal.includes("//"))
    return null;
  const ends: number[] = [];
  for (let at = principal.indexOf("/"); at !== -1 && ends.length < maxSegments; at = principal.indexOf("/", at + 1))
    ends.push(at);
  if (ends.length < maxSegments) ends.push(principal.length);
  for (let deepest = ends.length - 1; deepest >= 0; deepest--) {
    const path = principal.slice(0, ends[deepest]);
    if (isScope(path)) return path;
  }
  return null;
};
