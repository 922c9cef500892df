import fs from "node:fs";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { type AnyFunction, guardFileSync, held, like, type Member, passes, run } from "./forms.ts";
import { permittedFile, permittedFileSync } from "./permission.ts";

type Opened = (error: unknown, fd?: number) => void;
type Open = (path: string, flags: string, mode: number, opened: Opened) => void;

/**
 * `createReadStream` and `createWriteStream`: the caller waits for the verdict. A refusal arrives as any failure to open does, as the
 * stream's `error` event. The stream opens its file with the function that was there before the guard, so that it is asked
 * for once; a stream over a descriptor, or over an `fs` of the program's own, is left as it is.
 */
export const guardStream = <F extends AnyFunction>(original: F, member: Member, guard: Guard, open: Open): F => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    const [path, given, ...rest] = held(member, args);
    const options = typeof given === "string" ? { encoding: given } : given;
    const isDescribed = typeof options === "object" && options !== null;
    const fields = isDescribed ? (options as { readonly fd?: unknown; readonly fs?: unknown }) : {};
    if (!member.spec.reaches([path]) || (fields.fd !== undefined && fields.fd !== null)) {
      return Reflect.apply(original, this, [path, given, ...rest]);
    }
    if (given !== undefined && given !== null && !isDescribed)
      return Reflect.apply(original, this, [path, given, ...rest]);
    const [allowed, how] = openedOnce(path, options, member, guard, open);
    return Reflect.apply(original, this, [allowed, how, ...rest]);
  }
  return like(guarded, original);
};

const openedOnce = (path: unknown, options: unknown, member: Member, guard: Guard, open: Open): [unknown, object] => {
  const own = (options as { readonly fs?: unknown } | null | undefined)?.fs;
  try {
    const [allowed, how] = permittedFileSync(member.spec, options === undefined ? [path] : [path, options], guard);
    const settings = typeof how === "string" ? { encoding: how } : (how as object | undefined);
    return [allowed, { ...settings, fs: own ?? fileSystem(open) }];
  } catch (error) {
    const refuse: Open = (_path, _flags, _mode, opened) => process.nextTick(opened, error);
    return [path, { ...(options as object | undefined), fs: fileSystem(refuse) }];
  }
};

/** `fs` with another `open`. */
const fileSystem = (open: Open): object => Object.create(fs, { open: { value: open, enumerable: true } });

/** `fs.promises.watch` and `fs.promises.glob`, which begin when the first value is asked for. */
export const guardIterator = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    const runs = held(member, args);
    if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
    return values(original, member, this, runs, guard);
  }
  return like(guarded, original);
};

async function* values(original: AnyFunction, member: Member, self: unknown, runs: readonly unknown[], guard: Guard) {
  const allowed = await permittedFile(member.spec, runs, guard);
  const source = run(member, original, self, allowed) as AsyncGenerator<unknown>;
  const step = (name: "next" | "return"): Promise<IteratorResult<unknown>> =>
    run(member, () => source[name](undefined), undefined, allowed) as Promise<IteratorResult<unknown>>;
  try {
    for (;;) {
      const { done, value } = await step("next");
      if (done) return value;
      yield value;
    }
  } finally {
    await step("return");
  }
}

/** `openAsBlob` says at once what is wrong with its arguments, and rejects for the rest. */
export const guardBlob = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  const ask = guardFileSync(original, member, guard);
  function guarded(this: unknown, ...args: unknown[]): unknown {
    try {
      return Reflect.apply(ask, this, args);
    } catch (error) {
      if (error instanceof BlockedError) return promiseOfProgram(Promise.reject(error));
      throw error;
    }
  }
  return like(guarded, original);
};
