import { resolvedPath } from "../fs/resolved-path.ts";

/** A socket's path as rules see it: where the kernel follows links to another, that one stands beside it as `resolved_path`. */
export const pathView = (path: string): Record<string, unknown> => {
  // An abstract socket is in no folder.
  const resolved = path.startsWith("\0") ? null : resolvedPath(path, "followed");
  return resolved === null || resolved === path ? { path } : { path, resolved_path: resolved };
};
