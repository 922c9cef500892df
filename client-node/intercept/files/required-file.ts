import { blocked } from "../../ask.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { settledPath } from "../fs/path-argument.ts";
import { resolvedPath } from "../fs/resolved-path.ts";
import { ownRelation } from "../own-package.ts";
import { pathText } from "../path-text.ts";
import { refuseInside } from "../refuse-inside.ts";
import { refusedArguments } from "../refused-arguments.ts";

type View = Readonly<Record<string, unknown>>;

/**
 * A file that Node reaches by itself, asked for as `{path, resolved_path?, own_path?, ...more}` as those of `fs` are. A rule lets it be or blocks
 * it: where Node goes cannot be rewritten.
 *
 * @throws BlockedError
 */
export const requireFile = (guard: Guard, action: string, path: string | Uint8Array, more: View = {}): void => {
  const { view, resolved } = viewOf(action, path, more);
  outcome(action, path, resolved, guard.askSync(action, view).args);
};

/** The same without waiting. Rejects with BlockedError. */
export const requireFileLater = async (
  guard: Guard,
  action: string,
  path: string | Uint8Array,
  more: View = {},
): Promise<void> => {
  const { view, resolved } = viewOf(action, path, more);
  outcome(action, path, resolved, (await ownPromise(guard.ask(action, view))).args);
};

const viewOf = (action: string, path: string | Uint8Array, more: View): { view: View; resolved: string | null } => {
  refuseInside(action);
  const shown = pathText(path);
  const resolved = resolvedPath(path, "followed");
  return {
    resolved,
    view: {
      path: shown,
      ...(resolved === null || resolved === shown ? {} : { resolved_path: resolved }),
      ...(resolved === null ? {} : ownMark(action, resolved)),
      ...more,
    },
  };
};

/** Only a folder that a WebAssembly program is given has what is in it go along. */
const ownMark = (action: string, path: string): View => {
  const own = ownRelation(path);
  return own === "inside" || (own === "above" && action === "wasi.WASI") ? { own_path: own } : {};
};

const outcome = (action: string, path: string | Uint8Array, resolved: string | null, changed: View | null): void => {
  if (changed !== null) throw blocked(action, "a rewrite of it is not supported");
  if (resolvedPath(path, "followed") !== resolved) {
    throw blocked(action, "a symbolic link on its path was changed while the guard was asked");
  }
};

/** A path argument that reads the same each time; what is no path is left for Node to refuse. */
export const heldFile = (action: string, value: unknown): unknown => refusedArguments(action, () => settledPath(value));
