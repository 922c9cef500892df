import { guardedLike } from "../../guarded.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { refuseInside } from "../refuse-inside.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { opens, runOpenedCallback, runOpenedPromise, runOpenedSync } from "./by-descriptor.ts";
import { maybeHandle, methodOf } from "./file-handle.ts";
import { pathFields } from "./file-spec.ts";
import { isInner, outside } from "./inner-calls.ts";
import type { AnyFunction, Member } from "./member.ts";
import { permittedFile, permittedFileSync } from "./permission.ts";
import { rehearsal } from "./rehearsal.ts";
import { run } from "./run.ts";

const later = process.nextTick.bind(process) as (callback: AnyFunction, ...args: unknown[]) => void;

/** The function with its name, length and own properties; functions among these are replaced by `replaced`. */
export const like = <F extends AnyFunction>(
  wrapper: AnyFunction,
  original: F,
  replaced: (property: AnyFunction, key: PropertyKey) => unknown = (property) => property,
): F => {
  for (const key of Reflect.ownKeys(original)) {
    if (key === "name" || key === "length" || key === "prototype") continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(original, key) as PropertyDescriptor;
    if (typeof descriptor.value === "function") descriptor.value = replaced(descriptor.value, key);
    Reflect.defineProperty(wrapper, key, descriptor);
  }
  return guardedLike(wrapper, original) as unknown as F;
};

const pathsOf = ({ spec }: Member): number => spec.fields.filter((field) => pathFields.includes(field)).length;

/** Is it asked for already? What runs inside of a question is no call of the guard's, which uses no file: it is a hook of the program's. */
export const passes = (member: Member, args: readonly unknown[]): boolean => {
  refuseInside(member.spec.action);
  return isInner(member.key, args.slice(0, pathsOf(member)));
};

export const held = (member: Member, args: readonly unknown[]): readonly unknown[] =>
  refusedArguments(member.spec.action, () => member.spec.hold(args).map(programs(member)));

/** Functions of the program's among the options run as its own, whatever they are called from. */
const programs =
  (member: Member) =>
  (value: unknown): unknown => {
    if (member.innerAnywhere === undefined && member.later === undefined) return value;
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    const { exclude, filter } = value as { readonly exclude?: unknown; readonly filter?: unknown };
    if (typeof exclude !== "function" && typeof filter !== "function") return value;
    return {
      ...value,
      ...(typeof exclude === "function" ? { exclude: outside(exclude as AnyFunction) } : {}),
      ...(typeof filter === "function" ? { filter: outside(filter as AnyFunction) } : {}),
    };
  };

/** A function that answers at once: the caller waits for the verdict. A refusal is thrown. */
export const guardFileSync = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    const runs = held(member, args);
    if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
    const permitted = permittedFileSync(member.spec, runs, guard);
    if (opens(member, guard)) return runOpenedSync(member, original, this, permitted, guard);
    return run(member, original, this, permitted.runs);
  }
  return like(guarded, original, again(guardFileSync, member, guard));
};

/**
 * A function with a callback, which a refusal is delivered to as `callback(error)`, never before the call has returned. Without a
 * callback the verdict is waited for, and Node says what is wrong with the call.
 */
export const guardFileCallback = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  const answer = async (
    self: unknown,
    runs: readonly unknown[],
    callback: AnyFunction,
    rest: readonly unknown[],
  ): Promise<void> => {
    try {
      const permitted = await ownPromise(permittedFile(member.spec, runs, guard));
      if (opens(member, guard)) runOpenedCallback(member, original, self, permitted, guard, callback);
      else run(member, original, self, [...permitted.runs, callback, ...rest]);
    } catch (error) {
      // Outside of the promise: what the callback throws is the program's uncaught exception.
      later(callback, error);
    }
  };
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    const runs = held(member, args);
    if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
    const at = runs.findLastIndex((value) => typeof value === "function");
    if (at < 0) return run(member, original, this, permittedFileSync(member.spec, runs, guard).runs);
    const attempt = rehearsal(member.spec.action, member.spec.fields, runs.slice(0, at));
    if (attempt !== null) run(member, original, this, [...attempt, () => undefined]);
    const callback = member.later === undefined ? (runs[at] as AnyFunction) : outside(runs[at] as AnyFunction);
    void answer(this, runs.slice(0, at), callback, runs.slice(at + 1));
    return undefined;
  }
  return like(guarded, original, again(guardFileCallback, member, guard));
};

/** A function that returns a promise, which a refusal rejects. */
export const guardFilePromise = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  const answer = async (self: unknown, args: readonly unknown[]): Promise<unknown> => {
    if (passes(member, args)) return Reflect.apply(original, self, args);
    const [first, ...rest] = args;
    const method = maybeHandle(first) ? await ownPromise(methodOf(member.key, first)) : null;
    if (method !== null) return Reflect.apply(method, first, rest);
    const runs = held(member, args);
    if (!member.spec.reaches(runs)) return Reflect.apply(original, self, runs);
    const permitted = await ownPromise(permittedFile(member.spec, runs, guard));
    if (opens(member, guard)) return runOpenedPromise(member, original, self, permitted, guard);
    return run(member, original, self, permitted.runs);
  };
  function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
    return promiseOfProgram(answer(this, args));
  }
  return like(guarded, original);
};

type Form = <F extends AnyFunction>(original: F, member: Member, guard: Guard) => F;

/** `fs.realpath.native` and `fs.realpathSync.native`, which call nothing of the module's. */
const again =
  (form: Form, { key, native }: Member, guard: Guard) =>
  (property: AnyFunction, name: PropertyKey): unknown =>
    name === "native" && native !== undefined
      ? form(property, { key: `${key}.native`, spec: native }, guard)
      : property;
