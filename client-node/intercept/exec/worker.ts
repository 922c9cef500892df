import worker_threads from "node:worker_threads";
import { jsonView } from "../argument-view.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { isUrlLike, pathText } from "../path-text.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { heldEnvironment, texts } from "./call.ts";
import { faced } from "./face.ts";

const action = "worker_threads.Worker";

interface Start {
  readonly filename: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Starting a thread is asked for as `{filename, eval, execArgv?, argv?, env?, workerData?}`; with `eval` the filename is the code.
 * What is wrapped here gives the thread its own guard.
 */
export const guardWorkers = (patches: Patches, guard: Guard): void => {
  const isPatched = patches.replace(worker_threads, "Worker", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      // Without `new`, and with options that are none, Node says what is wrong.
      if (new.target === undefined) return Reflect.apply(original, this, args);
      const target = (new.target as unknown) === guarded ? original : new.target;
      const start = refusedArguments(action, () => heldWorker(args));
      if (start === null) return Reflect.construct(original, args, target);
      const { filename, options } = judgedWorker(start, guard);
      return Reflect.construct(original, [filename, options], target);
    }
    return faced(guarded, original);
  });
  // A thread's own `constructor` is the same class.
  const { Worker } = worker_threads;
  if (isPatched) patches.replace(Worker.prototype, "constructor", () => Worker);
};

const heldWorker = ([filename, options = {}]: readonly unknown[]): Start | null => {
  if (typeof options !== "object" || options === null) return null;
  const held: Record<string, unknown> = {};
  // Node reads these by name, so that inherited ones count.
  for (const key in options) held[key] = (options as Record<string, unknown>)[key];
  if (Array.isArray(held.execArgv)) held.execArgv = texts(held.execArgv, false);
  if (Array.isArray(held.argv)) held.argv = texts(held.argv, false);
  if (typeof held.env === "object" && held.env !== null) held.env = heldEnvironment(held.env);
  return { filename: isUrlLike(filename) ? new URL(filename.href) : filename, options: held };
};

const judgedWorker = (start: Start, guard: Guard): Start => {
  const view = refusedArguments(action, () => viewOf(start));
  const { args: changed } = guard.askSync(action, view);
  if (changed === null) return start;
  return refusedArguments(action, () => {
    if (changed.eval !== view.eval) throw new TypeError("a rewrite cannot turn a file into code, nor code into a file");
    if (typeof changed.filename !== "string") throw new TypeError("the rewritten filename is not text");
    return { ...start, filename: changed.filename === view.filename ? start.filename : changed.filename };
  });
};

/** Code is shown whole; data that is handed over, as far as it has a JSON form. */
const viewOf = ({ filename, options }: Start): Record<string, unknown> => {
  const view: Record<string, unknown> = { filename: String(pathText(filename)), eval: Boolean(options.eval) };
  const { execArgv, argv, env, workerData } = options;
  const shown = {
    execArgv,
    argv,
    env: isRecord(env) ? jsonView({ ...env }) : undefined,
    workerData: jsonView(workerData),
  };
  for (const [key, value] of Object.entries(shown)) if (value !== undefined) view[key] = value;
  return view;
};

const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null;
