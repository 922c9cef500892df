import { fileURLToPath } from "node:url";
import { itemsOf } from "../../items-of.ts";
import { heldData } from "../held-data.ts";
import { isUrlLike } from "../path-text.ts";

const toPath = fileURLToPath;

/** One call of a `child_process` function, read once. What the caller does to its own objects later does not reach it. */
export interface Call {
  /** The command line (`exec`, `execSync`), the program (`spawn`, `execFile`), or the module (`fork`). */
  readonly command: string;
  /** Undefined where the caller gave none. */
  readonly args: readonly string[] | undefined;
  readonly options: Readonly<Record<string, unknown>> | undefined;
  readonly callback: unknown;
}

/** Reads the arguments as Node does. Null: misuse, which Node refuses by itself before it starts anything. */
export type ReadCall = (args: readonly unknown[]) => Call | null;

/** `exec(command[, options][, callback])`, `execSync(command[, options])`. Node spreads whatever the options are. */
export const readCommandLine: ReadCall = ([command, options, callback]) => {
  if (typeof command !== "string") return null;
  if (typeof options === "function") return { command, args: undefined, options: undefined, callback: options };
  return { command, args: undefined, options: isGiven(options) ? heldOptions(options) : undefined, callback };
};

/** `execFile(file[, args][, options][, callback])`, `execFileSync(file[, args][, options])`. */
export const readFileCall: ReadCall = ([command, second, third, fourth]) => {
  if (typeof command !== "string") return null;
  if (typeof second === "function") return { command, args: undefined, options: undefined, callback: second };
  const shifted = isOptions(second);
  const options = shifted ? second : third;
  const callback =
    typeof options === "function" ? options : shifted ? third : typeof third === "function" ? third : fourth;
  return readParts(
    command,
    shifted ? undefined : second,
    typeof options === "function" ? undefined : options,
    callback,
  );
};

/** `spawn(file[, args][, options])`, `spawnSync(file[, args][, options])`; null is no options here. */
export const readSpawnCall: ReadCall = ([command, second, third]) => {
  if (typeof command !== "string") return null;
  if (third === null && !isOptions(second)) return null;
  return isOptions(second) ? readParts(command, undefined, second) : readParts(command, second, third);
};

/** `fork(modulePath[, args][, options])`; the module is a text, a `file:` URL or bytes. */
export const readForkCall: ReadCall = ([module, second, third]) => {
  const command = pathOf(module);
  if (typeof command !== "string") return null;
  return isOptions(second) ? readParts(command, undefined, second) : readParts(command, second, third);
};

const readParts = (command: string, args: unknown, options: unknown, callback?: unknown): Call | null => {
  if (isGiven(args) && !Array.isArray(args)) return null;
  if (isGiven(options) && !isOptions(options)) return null;
  const held = isGiven(options) ? heldOptions(options) : undefined;
  return { command, args: isGiven(args) ? texts(args as unknown[], held?.shell) : undefined, options: held, callback };
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const isOptions = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every argument is text once, here: an object could say one thing to the guard and another to the kernel. */
export const texts = (args: readonly unknown[], shell: unknown): readonly string[] =>
  // A shell's line is joined by `Array.prototype.join`, to which null and undefined are nothing.
  itemsOf(args).map((item) => (shell && !isGiven(item) ? "" : `${item as string}`));

/** A copy of the options, each read once; what Node reads inside of them is copied as well. */
const heldOptions = (options: unknown): Record<string, unknown> => {
  const held: Record<string, unknown> = { ...(options as object) };
  if (isGiven(held.cwd)) held.cwd = pathOf(held.cwd);
  if (typeof held.env === "object" && held.env !== null) held.env = heldEnvironment(held.env);
  if (Array.isArray(held.execArgv)) held.execArgv = texts(held.execArgv, false);
  if (Array.isArray(held.stdio)) held.stdio = itemsOf(held.stdio);
  // Of a call that waits, as those are that take it.
  if (isGiven(held.input)) held.input = heldData(held.input, false);
  return held;
};

/** Node takes inherited variables too, leaves undefined ones out, and makes text of the rest. */
export const heldEnvironment = (env: object): Record<string, string> => {
  const held: Record<string, string> = Object.create(null);
  for (const name in env) {
    const value: unknown = (env as Record<string, unknown>)[name];
    if (value !== undefined) held[name] = `${value as string}`;
  }
  return held;
};

const pathOf = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return isUrlLike(value) ? toPath(new URL(value.href)) : value;
};
