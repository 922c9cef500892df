import { blocked } from "../ask.ts";
import { optionsStartBeneath } from "./exec/node-flags.ts";
import { requireHookPath } from "./require-hook-path.ts";

/** In quotes, as `NODE_OPTIONS` is read: a path may have blanks. */
const ours = `--require "${requireHookPath.replace(/["\\]/g, "\\$&")}"`;

/**
 * `--require` runs before every `--import`, and in the threads of module loaders too. Ours stands first, so that it runs before what
 * the caller preloads, and what follows cannot be read as part of it.
 *
 * @throws BlockedError it names what no preload comes before
 */
export const guardedNodeOptions = (given: string | undefined): string => {
  if (given !== undefined && optionsStartBeneath(given)) {
    throw blocked("child_process.unguarded", "the child process would lose the guard (by its NODE_OPTIONS)");
  }
  if (given === undefined || given === "" || given === ours) return ours;
  return given.startsWith(`${ours} `) ? given : `${ours} ${given}`;
};
