import { ChildProcess } from "node:child_process";
import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { texts } from "./call.ts";
import { faced } from "./face.ts";
import type { Inheritance } from "./inheritance.ts";
import { hasTicket, takeTicket, withTicket } from "./judged.ts";
import { requireGuarded } from "./loses-guard.ts";
import { marksOf, unmarked } from "./marks.ts";
import { heldHandleStart, heldStart, type StartOptions, startPlan } from "./start-options.ts";

const action = "child_process.spawn";

/**
 * Every process that Node starts without waiting for it passes here: `spawn`, `fork`, `exec`, `execFile`, `cluster.fork`, a
 * `ChildProcess` of the program's own, and the handle it holds. What has no ticket is asked for as `child_process.spawn`.
 */
export const guardProcessStart = (patches: Patches, guard: Guard, inheritance: Inheritance | null): void => {
  patches.replace(ChildProcess.prototype, "spawn", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const options = refusedArguments(action, () => heldStart(args[0]));
      // Node refuses what is none by itself, and the handle is guarded too.
      if (options === null || hasTicket(startPlan(options))) return Reflect.apply(original, this, args);
      const permitted = judgedStart(options, guard, inheritance);
      return withTicket(startPlan(permitted), () => Reflect.apply(original, this, [permitted]));
    }
    return faced(guarded, original);
  });
  patches.replace(handlePrototype(), "spawn", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const start = refusedArguments(action, () => heldHandleStart(args));
      if (start === null) throw blocked(action, "the process is started in a way that the guard does not know");
      const { options, again } = start;
      const permitted = takeTicket(startPlan(options)) ? options : judgedStart(options, guard, inheritance);
      return Reflect.apply(original, this, again(inheriting(permitted, inheritance)));
    }
    return faced(guarded, original);
  });
};

/** The class of `_handle`: no module exports it, and each process holds one. */
const handlePrototype = (): object => {
  const { _handle } = new ChildProcess() as unknown as { readonly _handle: object };
  return Object.getPrototypeOf(_handle) as object;
};

const judgedStart = (options: StartOptions, guard: Guard, inheritance: Inheritance | null): StartOptions => {
  const { file, args = [], cwd, envPairs } = options;
  const [name, ...rest] = args;
  const shown = {
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(name === undefined || name === file ? {} : { argv0: name }),
    ...(envPairs === undefined ? {} : { envPairs }),
  };
  const marks = refusedArguments(action, () => marksOf({ command: file, args: rest, options: shown }));
  const { args: changed } = guard.askSync(action, { command: file, args: rest, options: shown, ...marks });
  const permitted =
    changed === null ? options : refusedArguments(action, () => changedStart(options, unmarked(changed, marks)));
  requireGuarded(startPlan(permitted), guard, inheritance);
  return permitted;
};

const changedStart = (options: StartOptions, changed: Readonly<Record<string, unknown>>): StartOptions => {
  const { command, args = [], options: rest } = changed;
  if (!Array.isArray(args)) throw new TypeError("the rewritten args are not a list");
  const { cwd, argv0, envPairs } = (rest ?? {}) as Record<string, unknown>;
  const name = typeof argv0 === "string" ? argv0 : command;
  const start = heldStart({ ...options, file: command, args: [name, ...texts(args, false)], cwd, envPairs });
  if (start === null) throw new TypeError("the rewrite starts nothing");
  return start;
};

const inheriting = (options: StartOptions, inheritance: Inheritance | null): StartOptions => {
  if (inheritance === null) return options;
  // Without pairs the kernel hands this process's own on.
  return { ...options, envPairs: inheritance.pairs(options.envPairs ?? ownPairs()) };
};

const ownPairs = (): string[] => Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
