import { promisify } from "node:util";
import { guardedLike, isGuarded } from "../guarded.ts";
import { ownPromise } from "../own-promise.ts";
import type { Guard } from "./ask.ts";
import { promiseOfProgram } from "./program-realm.ts";
import { refuseInside } from "./refuse-inside.ts";
import { refusedArguments } from "./refused-arguments.ts";
import type { Spec } from "./spec.ts";

export { isGuarded } from "../guarded.ts";
export { fields, type Spec } from "./spec.ts";

// biome-ignore lint/suspicious/noExplicitAny: builtins are functions of any shape
export type AnyFunction = (...args: any[]) => any;

/** Gives a wrapper the face of its original: name, length, prototype, own properties, and the mark that it is guarded. */
export const disguise = <F extends AnyFunction>(
  wrapper: AnyFunction,
  original: F,
  spec: Spec,
  guard: Guard,
  again: (original: AnyFunction, spec: Spec, guard: Guard) => AnyFunction,
): F => {
  for (const key of Reflect.ownKeys(original)) {
    if (key === "name" || key === "length") continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(original, key) as PropertyDescriptor;
    if (typeof descriptor.value === "function" && key === promisify.custom) {
      descriptor.value = guardPromise(descriptor.value, spec, guard);
    } else if (typeof descriptor.value === "function" && key === "native") {
      descriptor.value = again(descriptor.value, spec, guard);
    }
    Reflect.defineProperty(wrapper, key, descriptor);
  }
  return guardedLike(wrapper, original) as unknown as F;
};

/** A function that answers at once, a builtin class included: the caller waits for the verdict. */
export const guardSync = <F extends AnyFunction>(original: F, spec: Spec, guard: Guard): F =>
  guardHandle(original, spec, guard);

/**
 * A function that returns a handle at once (a process, a stream, a request): the caller waits for the verdict. A refusal is thrown, at
 * once, unless `refuse` makes a handle of it.
 */
export const guardHandle = <F extends AnyFunction>(
  original: F,
  spec: Spec,
  guard: Guard,
  refuse?: (error: unknown) => unknown,
): F => {
  if (isGuarded(original)) return original;
  function guarded(this: unknown, ...args: unknown[]): unknown {
    let runs: readonly unknown[];
    try {
      runs = permittedSync(spec, args, guard);
    } catch (error) {
      if (refuse === undefined) throw error;
      return refuse(error);
    }
    if (new.target === undefined) return Reflect.apply(original, this, runs);
    return Reflect.construct(original, runs, (new.target as unknown) === guarded ? original : new.target);
  }
  return disguise(guarded, original, spec, guard, (inner) => guardHandle(inner, spec, guard, refuse));
};

/**
 * A function with a trailing callback, which a refusal is delivered to as `callback(error)`, never before the call has returned.
 * Without a callback the verdict is waited for, and Node says what is wrong with the call.
 */
export const guardCallback = <F extends AnyFunction>(original: F, spec: Spec, guard: Guard): F => {
  if (isGuarded(original)) return original;
  const answer = async (
    self: unknown,
    args: readonly unknown[],
    callback: AnyFunction,
    rest: readonly unknown[],
  ): Promise<void> => {
    try {
      const runs = await ownPromise(permitted(spec, args, guard));
      Reflect.apply(original, self, [...runs, callback, ...rest]);
    } catch (error) {
      // Outside of the promise: what the callback throws is the program's uncaught exception.
      later(callback, error);
    }
  };
  function guarded(this: unknown, ...args: unknown[]): unknown {
    const at = args.findLastIndex((value) => typeof value === "function");
    if (at < 0) return Reflect.apply(original, this, permittedSync(spec, args, guard));
    const callback = args[at] as AnyFunction;
    void answer(this, args.slice(0, at), callback, args.slice(at + 1));
    return undefined;
  }
  return disguise(guarded, original, spec, guard, guardCallback);
};

const later = process.nextTick.bind(process) as (callback: AnyFunction, ...args: unknown[]) => void;

/** A function that returns a promise, which a refusal rejects. */
export const guardPromise = <F extends AnyFunction>(original: F, spec: Spec, guard: Guard): F => {
  if (isGuarded(original)) return original;
  const run = async (self: unknown, args: readonly unknown[]): Promise<unknown> => {
    const runs = await ownPromise(permitted(spec, args, guard));
    return Reflect.apply(original, self, runs);
  };
  function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
    return promiseOfProgram(run(this, args));
  }
  return disguise(guarded, original, spec, guard, guardPromise);
};

/** The arguments that may run. @throws BlockedError */
export const permittedSync = (spec: Spec, args: readonly unknown[], guard: Guard): readonly unknown[] => {
  refuseInside(spec.action);
  const { runs, view } = refusedArguments(spec.action, () => heldView(spec, args));
  const { args: changed } = guard.askSync(spec.action, view);
  return changed === null ? runs : refusedArguments(spec.action, () => spec.apply(runs, changed));
};

/** The arguments that may run. Rejects with BlockedError. */
export const permitted = async (spec: Spec, args: readonly unknown[], guard: Guard): Promise<readonly unknown[]> => {
  refuseInside(spec.action);
  const { runs, view } = refusedArguments(spec.action, () => heldView(spec, args));
  const { args: changed } = await ownPromise(guard.ask(spec.action, view));
  return changed === null ? runs : refusedArguments(spec.action, () => spec.apply(runs, changed));
};

const heldView = (spec: Spec, args: readonly unknown[]) => {
  const runs = spec.hold?.(args) ?? args;
  return { runs, view: spec.project(runs) };
};
