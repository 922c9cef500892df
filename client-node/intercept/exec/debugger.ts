import { constants } from "node:os";
import type { Guard } from "../ask.ts";
import { requireAllowed } from "../required-allow.ts";

const { SIGUSR1 } = constants.signals;
const ownPid = process.pid;

/** Was this program started with a debugger's port? Then its children may be as well: whoever started it debugs it. */
const isDebugged = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)].some((word) =>
  opensDebugger(word),
);

/**
 * `--inspect`, `--inspect-brk=9229` and so on. Node takes `_` for `-`. Two of them only say how a port would be opened: Node 24 gives them to
 * each file that `node --test` starts.
 */
function opensDebugger(word: string): boolean {
  return /^--inspect(?:[-_]|=|$)/.test(word) && !/^--inspect[-_](?:port|publish[-_]uid)(?:=|$)/.test(word);
}

/** Does this word of a start open a debugger's port, where this program has none? Whoever connects there reaches beneath the guard. */
export const addsDebugger = (word: string): boolean => !isDebugged && opensDebugger(word);

/**
 * SIGUSR1 opens the debugger's port of a Node process. To this process, or to a group that may have it, it is
 * sent where a rule for `inspector.open` rewrites `allow` to true.
 *
 * @throws BlockedError
 */
export const requireNoDebugger = (guard: Guard, pid: unknown, signal: unknown): void => {
  const to = Number(pid) | 0;
  if (Number(signal) !== SIGUSR1 || (to > 0 && to !== ownPid)) return;
  requireAllowed(guard, "inspector.open", { pid: to }, "the signal opens a debugger's port");
};
