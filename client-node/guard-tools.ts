import { blocked } from "./ask.ts";
import { newCallId } from "./call-id.ts";
import { isCutShort } from "./cut-short.ts";
import { deliveredResult } from "./enforce-result.ts";
import { checkedOptions, type GuardOptions } from "./guard-options.ts";
import { guardedLike, isGuarded } from "./guarded.ts";
import { guardedCall } from "./guarded-call.ts";
import { isPlainObject } from "./plain-object.ts";
import { notPutToGuard } from "./reasons.ts";
import { detached } from "./snapshot.ts";
import { toolView } from "./tool-arguments.ts";

// biome-ignore lint/suspicious/noExplicitAny: tools are functions of any shape
type Tool = (...args: any[]) => unknown;

/** The same function, answering a promise. */
export type GuardedTool<F extends Tool> = (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;

/**
 * A new map with the same keys, in which every function asks the guard first and has its result judged.
 *
 * @throws TypeError a value is not a function: it could not be guarded, so it is not passed on
 */
export const guardToolMap = <M extends Readonly<Record<string, Tool>>>(
  tools: M,
  options: GuardOptions,
): { [K in keyof M]: GuardedTool<M[K]> } => {
  checkedOptions(options);
  const guarded: Record<string, unknown> = {};
  for (const name of Object.keys(tools)) {
    const tool = tools[name];
    if (typeof tool !== "function") throw new TypeError(`guardToolMap: '${name}' is not a function`);
    const value = isGuarded(tool) ? tool : guardTool(name, tool, options);
    Object.defineProperty(guarded, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return guarded as { [K in keyof M]: GuardedTool<M[K]> };
};

const guardTool = (action: string, tool: Tool, options: GuardOptions): Tool => {
  async function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
    const enforce = { ...options, callId: newCallId() };
    const { view, toArguments } = readArguments(action, () => toolView(args));
    return guardedCall(action, view, enforce, {
      ...toolSteps,
      prepare: toArguments,
      run: (runs) => Reflect.apply(tool, this, runs),
      deliver: (result, onFailure) => deliveredResult(action, result, enforce, onFailure),
    });
  }
  return guardedLike(guarded, tool);
};

const toolSteps = { isCutShort, replayed: (result: unknown) => result };

/** A getter or a proxy of the caller's may throw: then nothing is put to the guard, and nothing runs. */
const readArguments = <T>(action: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw blocked(action, notPutToGuard(action, "call", error));
  }
};

/**
 * Guards a `(name, args) => result` dispatcher; further arguments are passed on as they are and not judged.
 */
export const guardToolRunner = <Rest extends unknown[], R>(
  run: (name: string, args: Record<string, unknown>, ...rest: Rest) => R,
  options: GuardOptions,
): ((name: string, args?: Readonly<Record<string, unknown>> | null, ...rest: Rest) => Promise<Awaited<R>>) => {
  checkedOptions(options);
  if (typeof run !== "function") throw new TypeError("guardToolRunner: the runner is not a function");
  if (isGuarded(run)) return run as never;
  async function guarded(
    this: unknown,
    name: string,
    args?: Readonly<Record<string, unknown>> | null,
    ...rest: Rest
  ): Promise<Awaited<R>> {
    const enforce = { ...options, callId: newCallId() };
    const own = isPlainObject(args) ? readArguments(name, () => detached(args)) : args;
    const result = guardedCall(name, own, enforce, {
      ...toolSteps,
      prepare: (judged) => judged,
      run: (judged) => Reflect.apply(run, this, [name, judged, ...rest]),
      deliver: (delivered, onFailure) => deliveredResult(name, delivered, enforce, onFailure),
    });
    return result as Promise<Awaited<R>>;
  }
  return guardedLike(guarded, run);
};
