import { ChildProcess } from "node:child_process";
import type { Guard } from "../ask.ts";
import { isOwnCall } from "../own-call.ts";
import type { Patches } from "../patch.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { texts } from "./call.ts";
import { faced } from "./face.ts";
import type { Inheritance } from "./inheritance.ts";
import { hasTicket, takeTicket, withTicket } from "./judged.ts";
import { requireGuarded } from "./loses-guard.ts";
import { cwdOf, type Plan } from "./plan.ts";

const action = "child_process.spawn";

/** What `ChildProcess.prototype.spawn` and the handle beneath it are given. */
interface StartOptions extends Record<string, unknown> {
  readonly file: string;
  readonly args?: readonly string[];
}

/**
 * Every process that Node starts without waiting for it passes here: `spawn`, `fork`, `exec`, `execFile`, `cluster.fork`, a `ChildProcess` of
 * the program's own, and the handle it holds. What has no ticket is asked for as `child_process.spawn`.
 */
export const guardProcessStart = (patches: Patches, guard: Guard, inheritance: Inheritance | null): void => {
  patches.replace(ChildProcess.prototype, "spawn", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const options = isOwnCall() ? null : refusedArguments(action, () => heldStart(args[0]));
      if (options === null || hasTicket(planOf(options))) return Reflect.apply(original, this, args);
      const permitted = judgedStart(options, guard);
      return withTicket(planOf(permitted), () => Reflect.apply(original, this, [permitted]));
    }
    return faced(guarded, original);
  });
  patches.replace(handlePrototype(), "spawn", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const options = isOwnCall() ? null : refusedArguments(action, () => heldStart(args[0]));
      if (options === null) return Reflect.apply(original, this, args);
      const permitted = takeTicket(planOf(options)) ? options : judgedStart(options, guard);
      return Reflect.apply(original, this, [inheriting(permitted, inheritance)]);
    }
    return faced(guarded, original);
  });
};

/** The class of `_handle`: no module exports it, and each process holds one. */
const handlePrototype = (): object => {
  const { _handle } = new ChildProcess() as unknown as { readonly _handle: object };
  return Object.getPrototypeOf(_handle) as object;
};

/** A copy, each member read once. Null: Node refuses it by itself. */
const heldStart = (given: unknown): StartOptions | null => {
  if (typeof given !== "object" || given === null) return null;
  const held: Record<string, unknown> = { ...given };
  // What is inherited counts as well: Node reads these by name.
  const { file, args, envPairs, cwd } = given as Record<string, unknown>;
  if (typeof file !== "string") return null;
  if (args !== undefined && !Array.isArray(args)) return null;
  if (envPairs !== undefined && !Array.isArray(envPairs)) return null;
  if (args !== undefined) held.args = texts(args, false);
  if (envPairs !== undefined) held.envPairs = texts(envPairs, false);
  return { ...held, file, cwd };
};

const planOf = ({ file, args = [], cwd }: StartOptions): Plan => ({ file, args, cwd: cwdOf(cwd) });

const judgedStart = (options: StartOptions, guard: Guard): StartOptions => {
  const { file, args = [], cwd, envPairs } = options;
  const [name, ...rest] = args;
  const shown = {
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(name === undefined || name === file ? {} : { argv0: name }),
    ...(envPairs === undefined ? {} : { envPairs }),
  };
  const { args: changed } = guard.askSync(action, { command: file, args: rest, options: shown });
  const permitted = changed === null ? options : refusedArguments(action, () => changedStart(options, changed));
  requireGuarded(planOf(permitted), guard);
  return permitted;
};

const changedStart = (options: StartOptions, changed: Readonly<Record<string, unknown>>): StartOptions => {
  const { command, args = [], options: rest } = changed;
  if (typeof command !== "string") throw new TypeError("the rewritten command is not text");
  if (!Array.isArray(args)) throw new TypeError("the rewritten args are not a list");
  const { cwd, argv0, envPairs } = (rest ?? {}) as Record<string, unknown>;
  if (envPairs !== undefined && !Array.isArray(envPairs)) throw new TypeError("the rewritten envPairs are not a list");
  return {
    ...options,
    file: command,
    args: [typeof argv0 === "string" ? argv0 : command, ...texts(args, false)],
    cwd,
    envPairs: envPairs === undefined ? undefined : texts(envPairs, false),
  };
};

const inheriting = (options: StartOptions, inheritance: Inheritance | null): StartOptions => {
  if (inheritance === null) return options;
  // Without pairs the kernel hands this process's own on.
  const pairs = (options.envPairs as readonly string[] | undefined) ?? ownPairs();
  return { ...options, envPairs: inheritance.pairs(pairs) };
};

const ownPairs = (): string[] => Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
