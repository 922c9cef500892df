import { isDeepStrictEqual } from "node:util";
import threads, { type Worker } from "node:worker_threads";
import { blocked } from "../ask.ts";
import { guardedLike } from "../guarded.ts";
import { dataView } from "./argument-view.ts";
import type { Guard } from "./ask.ts";
import type { GroupOptions } from "./group.ts";
import { isOwnCall } from "./own-call.ts";
import type { Patches } from "./patch.ts";
import { heldPath, isUrlLike, pathText } from "./path-text.ts";
import { requireHookPath } from "./require-hook-path.ts";
import { type AnyFunction, permittedSync, type Spec } from "./wrap.ts";

export const covers: readonly string[] = ["worker_threads.Worker"];

/** Starting a thread is asked about, and every thread is given the guard before its first line, whatever its options say. */
export const install = (patches: Patches, guard: Guard, { socketPath }: GroupOptions): void => {
  let replacement: typeof Worker | undefined;
  patches.replace(threads, "Worker", (original: typeof Worker) => {
    replacement = guardedWorker(original, guard, socketPath !== null);
    return replacement;
  });
  // Otherwise any thread's `constructor` would be the way around.
  if (replacement !== undefined) patches.replace(replacement.prototype, "constructor", () => replacement);
};

const guardedWorker = (original: typeof Worker, guard: Guard, isInherited: boolean): typeof Worker => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    // Without `new` Node says what is wrong.
    if (new.target === undefined) return Reflect.apply(original, this, args);
    const made = (new.target as unknown) === guarded ? original : new.target;
    if (isOwnCall()) return Reflect.construct(original, args, made);
    const runs = permittedSync(workerSpec, args, guard);
    if (!isInherited)
      throw blocked(workerSpec.action, "the thread would not be guarded: the engine is of this thread only");
    return Reflect.construct(original, withPreload(runs), made);
  }
  guarded.prototype = original.prototype;
  Object.setPrototypeOf(guarded, Object.getPrototypeOf(original));
  return guardedLike(guarded, original as unknown as AnyFunction) as unknown as typeof Worker;
};

interface WorkerOptions {
  readonly eval?: unknown;
  readonly execArgv?: unknown;
}

/** A text to run is shown as `code`, a file or URL as `path`. */
const workerSpec: Spec = {
  action: "worker_threads.Worker",
  hold: ([file, options, ...rest]) => [heldPath(file), heldOptions(options), ...rest],
  project([file, options]) {
    const shown = isText(options) ? { code: dataView(file) } : { path: dataView(pathText(file)) };
    return typeof file === "string" || isUrlLike(file) ? shown : {};
  },
  apply([file, options, ...rest], changed) {
    const shown = isText(options) ? dataView(file) : dataView(pathText(file));
    const wanted = isText(options) ? changed.code : changed.path;
    if (isDeepStrictEqual(wanted, shown)) return [file, options, ...rest];
    if (typeof wanted !== "string") throw new TypeError("a rewrite left nothing to run");
    return [wanted, options, ...rest];
  },
};

const isText = (options: unknown): boolean => Boolean((options as WorkerOptions | null | undefined)?.eval);

/** Read once: what is judged is what runs. Inherited options count for Node. */
const heldOptions = (options: unknown): unknown => {
  if (typeof options !== "object" || options === null) return options;
  const copy: Record<string, unknown> = {};
  for (const key in options) copy[key] = (options as Record<string, unknown>)[key];
  return copy;
};

const withPreload = ([file, options, ...rest]: readonly unknown[]): unknown[] => {
  const given = (options ?? {}) as WorkerOptions;
  const execArgv: readonly unknown[] = Array.isArray(given.execArgv) ? given.execArgv : process.execArgv;
  return [file, { ...given, execArgv: ["--require", requireHookPath, ...execArgv] }, ...rest];
};
