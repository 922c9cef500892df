import { posix } from "node:path";

/** How far protection of a place reaches: what is in it too, what is named `<path>.<more>` beside it too, or it alone. */
export type Extent = "tree" | "named" | "alone";

/** `inside`: the place itself or a part of it. `above`: a folder that holds it. Null: neither. */
export type Relation = "inside" | "above" | null;

/**
 * A path in the form that places are compared in. In one case, and in one of the forms of letters that some file systems do
 * not tell apart: on a file system that does, another spelling costs a refusal at most.
 */
export const folded = (path: string): string =>
  isAscii.test(path) ? path.toLowerCase() : path.normalize("NFKC").toUpperCase().toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const isAscii = /^[\x00-\x7f]*$/;

/** Without dot segments and doubled or trailing slashes, by the text alone. */
export const plainPath = (path: string): string => {
  if (!path.includes("/.") && !path.includes("//") && !path.endsWith("/")) return path;
  const normal = posix.normalize(path);
  const single = normal.startsWith("//") ? normal.slice(1) : normal;
  return single.length > 1 && single.endsWith("/") ? single.slice(0, -1) : single;
};

/** Both are absolute, plain and folded. */
export const relationTo = (path: string, place: string, extent: Extent): Relation => {
  if (path === place) return "inside";
  if (path.length > place.length) {
    if (extent === "alone" || !path.startsWith(place)) return null;
    if (place === "/") return "inside";
    const next = path[place.length];
    return next === "/" || (extent === "named" && next === ".") ? "inside" : null;
  }
  return place.startsWith(path) && (path === "/" || place[path.length] === "/") ? "above" : null;
};
