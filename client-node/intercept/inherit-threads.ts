import threads, { SHARE_ENV, type Worker } from "node:worker_threads";
import { blocked } from "../ask.ts";
import { itemsOf } from "../items-of.ts";
import { canCacheCode, compileCacheVariable, ownEnvironment, withoutCompileCache } from "./compile-cache.ts";
import type { GroupOptions } from "./group.ts";
import { guardedNodeOptions } from "./node-options.ts";
import type { Patches } from "./patch.ts";
import { requireHookPath } from "./require-hook-path.ts";

const marker = Symbol.for("interlock.inherits");

/**
 * Every worker thread is given the guard before its first line, whatever its options say. Nothing is asked here: that is the
 * `exec` group's, which wraps this one. By `--require`, because Node 20 does not `--import` into a thread that runs a text.
 */
export const inheritThreads = (patches: Patches, { socketPath }: GroupOptions): void => {
  let replacement: unknown;
  patches.replace(threads, "Worker", (original: typeof Worker & { [marker]?: true }) => {
    if (original[marker] === true) return original;
    replacement = inheriting(original, socketPath !== null);
    return replacement;
  });
  // Otherwise any thread's `constructor` would be the way around.
  if (replacement !== undefined) patches.replace(threads.Worker.prototype, "constructor", () => replacement);
};

const inheriting = (original: typeof Worker, isInherited: boolean): typeof Worker => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    // Without `new` Node says what is wrong.
    if (new.target === undefined) return Reflect.apply(original, this, args);
    const made = (new.target as unknown) === guarded ? original : new.target;
    if (!isInherited) {
      throw blocked("worker_threads.Worker", "the thread would not be guarded: the engine is of this thread only");
    }
    return started((given) => Reflect.construct(original, given, made), args);
  }
  Object.setPrototypeOf(guarded, Object.getPrototypeOf(original));
  for (const key of Reflect.ownKeys(original)) {
    Reflect.defineProperty(guarded, key, Reflect.getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  Object.defineProperty(guarded, marker, { value: true });
  return guarded as unknown as typeof Worker;
};

/** This process's flags that no thread takes. They hold for threads all the same, and Node passes them over where a thread inherits. */
const ofProcess = new Set<unknown>();

const started = (start: (args: readonly unknown[]) => unknown, args: readonly unknown[]): unknown => {
  const given = withPreload(args);
  try {
    return start(given);
  } catch (error) {
    const refused = refusedFlags(error);
    if (refused === null || hasOwnFlags(args[1])) throw error;
    for (const flag of process.execArgv) if (refused.includes(`, ${flag}, `)) ofProcess.add(flag);
    return start(withPreload(args));
  }
};

const hasOwnFlags = (options: unknown): boolean =>
  Array.isArray((options as { readonly execArgv?: unknown } | null | undefined)?.execArgv);

/** `, FLAG, FLAG, ` of an error by which Node says that a thread cannot have them; null for any other. Nothing has started then. */
const refusedFlags = (error: unknown): string | null => {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  if (code !== "ERR_WORKER_INVALID_EXEC_ARGV" || message === undefined) return null;
  return `, ${message.slice(message.indexOf(": ") + 2)}, `;
};

const withPreload = ([file, options, ...rest]: readonly unknown[]): unknown[] => {
  if (options !== undefined && (typeof options !== "object" || options === null)) return [file, options, ...rest];
  // Inherited options count for Node. What it reads inside of them is read here: code of the program's could run in between.
  const held: Record<string, unknown> = {};
  for (const key in options) held[key] = (options as Record<string, unknown>)[key];
  if (typeof held.resourceLimits === "object") held.resourceLimits = { ...held.resourceLimits };
  if (Array.isArray(held.argv)) held.argv = itemsOf<unknown>(held.argv).map(String);
  const given: readonly unknown[] = Array.isArray(held.execArgv)
    ? held.execArgv
    : itemsOf(process.execArgv).filter((flag) => !ofProcess.has(flag));
  const isFirst = given[0] === "--require" && given[1] === requireHookPath;
  held.execArgv = isFirst ? given : ["--require", requireHookPath, ...itemsOf(given)];
  held.env = withPreloadFirst(held.env);
  return [file, held, ...rest];
};

/** A thread with flags reads `NODE_OPTIONS` as well, and before them. */
const withPreloadFirst = (env: unknown): unknown => {
  if (env === SHARE_ENV && !canCacheCode) {
    Object.assign(ownEnvironment, safeVariables(ownEnvironment));
    return env;
  }
  const isOwn = env === undefined || env === null;
  // A thread looks for its cache after its constructor has returned: in an environment that it shared, the program could name one yet.
  const given = isOwn || env === SHARE_ENV ? ownEnvironment : env;
  if (typeof given !== "object") return env;
  const held = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value as string}`]));
  const safe = safeVariables(held);
  return isOwn && Object.keys(safe).length === 0 ? env : { ...held, ...safe };
};

/** Those of them that would have Node run something before the guard, as they may be. */
const safeVariables = (env: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  ...(env[compileCacheVariable] ? withoutCompileCache : {}),
  ...(env.NODE_OPTIONS ? { NODE_OPTIONS: guardedNodeOptions(env.NODE_OPTIONS) } : {}),
});
