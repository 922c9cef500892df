import { resolvedPath } from "../fs/resolved-path.ts";
import { mayNameOwn, ownPackage } from "../own-package.ts";
import type { Call } from "./call.ts";

/** What rules see beside the caller's own arguments. A rewrite changes none of it. */
export interface Marks {
  /** The folder that the command begins in, links followed: what a relative path in it means. */
  readonly resolved_cwd?: string;
  /** The folder of this package, where the command may name something in it. */
  readonly own_package?: string;
}

export const marksOf = ({ command, args = [], options = {} }: Pick<Call, "command" | "args" | "options">): Marks => {
  const { cwd } = options;
  const folder = resolvedPath(typeof cwd === "string" ? cwd : ".", "followed");
  return {
    ...(folder === null ? {} : { resolved_cwd: folder }),
    ...([command, ...args].some(mayNameOwn) ? { own_package: ownPackage } : {}),
  };
};

/** @throws TypeError the rewrite changes a mark */
export const unmarked = (
  changed: Readonly<Record<string, unknown>>,
  marks: Marks,
): Readonly<Record<string, unknown>> => {
  const { resolved_cwd, own_package, ...rest } = changed;
  if (resolved_cwd !== marks.resolved_cwd || own_package !== marks.own_package) {
    throw new TypeError("a rewrite of what the call does not have");
  }
  return rest;
};
