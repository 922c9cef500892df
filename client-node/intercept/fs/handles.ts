import fs from "node:fs";
import { types } from "node:util";
import { BlockedError } from "../../blocked-error.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { generatorOfProgram, promiseOfProgram } from "../program-realm.ts";
import { callersWords } from "./callers-words.ts";
import { held, like, passes } from "./forms.ts";
import type { AnyFunction, Member } from "./member.ts";
import { openJudged } from "./opening.ts";
import { type Permitted, permittedFile, permittedFileSync } from "./permission.ts";
import { run } from "./run.ts";

const later = process.nextTick.bind(process) as (step: Opened, error: unknown) => void;

const { isGeneratorObject } = types;

type Opened = (error: unknown, fd?: number) => void;
type Open = (path: string, flags: string, mode: number, opened: Opened) => void;
type Settings = { readonly encoding?: unknown; readonly flags?: unknown; readonly mode?: unknown };

/** How the streams of a kind open their file: with which `fs.open`, and for what unless the options say. */
export interface StreamOpening {
  readonly open: Open;
  readonly flags: "r" | "w";
}

/**
 * `createReadStream` and `createWriteStream`: the caller waits for the verdict. A refusal arrives as any failure to open does, as the
 * stream's `error` event. The stream opens its file with the function that was there before the guard, so that it is asked
 * for once; a stream over a descriptor, or over an `fs` of the program's own, is left as it is.
 */
export const guardStream = <F extends AnyFunction>(
  original: F,
  member: Member,
  guard: Guard,
  opening: StreamOpening,
): F => {
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
    const [allowed, how] = openedOnce(path, options, member, guard, opening);
    return Reflect.apply(original, this, [allowed, how, ...rest]);
  }
  return like(guarded, original);
};

const openedOnce = (
  path: unknown,
  options: unknown,
  member: Member,
  guard: Guard,
  opening: StreamOpening,
): [unknown, object] => {
  const own = (options as { readonly fs?: unknown } | null | undefined)?.fs;
  try {
    const permitted = permittedFileSync(member.spec, options === undefined ? [path] : [path, options], guard);
    const [allowed, how] = permitted.runs;
    const settings: Settings & object = typeof how === "string" ? { encoding: how } : ((how ?? {}) as object);
    return [allowed, { ...settings, fs: own ?? fileSystem(opensOnce(settings, permitted, member, guard, opening)) }];
  } catch (error) {
    const refuse: Open = (_path, _flags, _mode, opened) => later(opened, error);
    return [path, { ...(options as object | undefined), fs: fileSystem(refuse) }];
  }
};

/** Opens what was judged as it was judged: the stream's own `path`, `flags` and `mode` are the program's to change until then. */
const opensOnce = (
  { flags, mode = 0o666 }: Settings,
  permitted: Permitted,
  { spec }: Member,
  guard: Guard,
  { open, flags: usual }: StreamOpening,
): Open => {
  const how = { flags: flags === undefined ? usual : flags, mode };
  return (path, given, givenMode, opened) =>
    guard.refuses?.() === false
      ? open(path, given, givenMode, opened)
      : openJudged({ spec, permitted, guard }, how, opened);
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
  const { runs: allowed } = await ownPromise(permittedFile(member.spec, runs, guard));
  const source = run(member, original, self, allowed) as AsyncGenerator<unknown>;
  const step = (name: "next" | "return"): Promise<IteratorResult<unknown>> =>
    run(member, () => nextOf(source, name), undefined, allowed) as Promise<IteratorResult<unknown>>;
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

/** While a builtin may go on unasked, no method of the program's runs that it put in the place of the language's. */
const nextOf = (source: AsyncGenerator<unknown>, name: "next" | "return"): Promise<IteratorResult<unknown>> =>
  isGeneratorObject(source)
    ? Reflect.apply(generatorOfProgram[name], source, [undefined])
    : (source as AsyncGenerator<unknown>)[name](undefined);

/**
 * `openAsBlob` says at once what is wrong with its arguments, and rejects for the rest. Its file is opened by name each time that the
 * blob is read: by the name that was judged, so that no link is in it.
 */
export const guardBlob = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    let permitted: Permitted;
    try {
      const runs = held(member, args);
      if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
      permitted = permittedFileSync(member.spec, runs, guard);
    } catch (error) {
      if (error instanceof BlockedError) return promiseOfProgram(Promise.reject(error));
      throw error;
    }
    const [path, ...rest] = permitted.runs;
    const place = judgedPlace(permitted);
    if (place === null || guard.refuses?.() === false) return Reflect.apply(original, this, permitted.runs);
    try {
      return Reflect.apply(original, this, [place, ...rest]);
    } catch (error) {
      throw callersWords(error, `stat '${place}'`, { syscall: "stat", path });
    }
  }
  return like(guarded, original);
};

/** Bytes that are not UTF-8 are lost in the name that was judged. */
const judgedPlace = ({ resolved: { resolved_path } }: Permitted): string | null =>
  typeof resolved_path === "string" && !resolved_path.includes("\ufffd") ? resolved_path : null;
