/**
 * Does a path that a caller wrote lie in a directory? `unclear` is a path that a file system may read as another one: empty, with a
 * NUL (where C ends it), a backslash (where Windows parts it), an empty segment, `.` or `..`. It is not put in order, since what
 * the tool will make of it is not known here. One pass over the text.
 */
export type PathPlace = "inside" | "outside" | "unclear";

/** `directory` ends in `/`. The directory itself, written without its last `/`, is inside. Compared by code points. */
export const pathPlace = (path: string, directory: string): PathPlace => {
  if (!isPlainPath(path)) return "unclear";
  const isInside = path.startsWith(directory) || (directory.length > 1 && path === directory.slice(0, -1));
  return isInside ? "inside" : "outside";
};

/** One leading and one trailing `/` are no empty segments. */
export const isPlainPath = (path: string): boolean => {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  if (path === "/") return true;
  const from = path.startsWith("/") ? 1 : 0;
  const to = path.endsWith("/") ? path.length - 1 : path.length;
  return path
    .slice(from, to)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..");
};
