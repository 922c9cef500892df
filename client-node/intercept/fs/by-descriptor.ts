import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { close, closeSync, ftruncate, ftruncateSync, isNativeError, readOpened } from "./captured.ts";
import { methodsOf } from "./file-handle.ts";
import type { AnyFunction, Member } from "./member.ts";
import { type How, type Opening, openJudged, openJudgedHandle, openJudgedSync } from "./opening.ts";
import type { Permitted } from "./permission.ts";
import { nowhereArguments, rehearsal } from "./rehearsal.ts";
import { run } from "./run.ts";

/**
 * The calls that open their file. The guard opens it, sees that it is what was judged, and Node does the rest by the descriptor: it takes
 * one wherever it takes a path.
 */
const hows: Readonly<Record<string, (runs: readonly unknown[]) => How>> = {
  "fs.open": ([, flags, mode]) => ({ flags, mode }),
  "fs.readFile": ([, options]) => ({ flags: option(options, "flag") || "r", mode: undefined }),
  "fs.writeFile": ([, , options]) => ({ flags: option(options, "flag") || "w", mode: option(options, "mode") }),
  "fs.appendFile": ([, , options]) => ({ flags: option(options, "flag") || "a", mode: option(options, "mode") }),
  "fs.truncate": () => ({ flags: "r+", mode: undefined }),
};

const option = (options: unknown, name: string): unknown =>
  typeof options === "object" && options !== null ? Reflect.get(options, name) : undefined;

/** Is it a call whose file can be opened for it? Where the guard refuses nothing, the call runs as it is. */
export const opens = ({ spec }: Member, guard: Guard): boolean =>
  Object.hasOwn(hows, spec.action) && guard.refuses?.() !== false;

const howOf = ({ spec }: Member, runs: readonly unknown[]): How => (hows[spec.action] as (typeof hows)[string])(runs);

/** Node says what is wrong with the rest of the arguments before it opens a file: so that an `open` may not come first. */
const misuse = ({ spec }: Member, runs: readonly unknown[]): readonly unknown[] | null =>
  spec.action === "fs.open" || spec.action === "fs.truncate" ? null : rehearsal(spec.action, spec.fields, runs);

/** Under `--permission` Node refuses the path that leads nowhere before it opens it. */
const isOpenFailure = (error: unknown): boolean =>
  isNativeError(error) &&
  ((error as NodeJS.ErrnoException).syscall === "open" ||
    (error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED");

export const runOpenedSync = (
  member: Member,
  original: AnyFunction,
  self: unknown,
  permitted: Permitted,
  guard: Guard,
): unknown => {
  const { runs } = permitted;
  const attempt = misuse(member, runs);
  if (attempt !== null) {
    try {
      run(member, original, self, attempt);
    } catch (error) {
      if (!isOpenFailure(error)) throw error;
    }
  }
  const fd = openJudgedSync({ spec: member.spec, permitted, guard }, howOf(member, runs));
  if (member.spec.action === "fs.open") return fd;
  try {
    if (member.spec.action === "fs.truncate") return ftruncateSync(fd, runs[1] as number | undefined);
    return run(member, original, self, [fd, ...runs.slice(1)]);
  } finally {
    closeSync(fd);
  }
};

/** @throws what Node throws at once for arguments that a rewrite spoiled */
export const runOpenedCallback = (
  member: Member,
  original: AnyFunction,
  self: unknown,
  permitted: Permitted,
  guard: Guard,
  callback: AnyFunction,
): void => {
  const { action } = member.spec;
  const { runs } = permitted;
  const signal = option(runs.at(-1), "signal");
  if (isAborted(signal)) {
    const aborted = (...results: unknown[]): void => later(callback, ...results);
    return void run(member, original, self, [...nowhereArguments(member.spec.fields, runs), aborted]);
  }
  if (action === "fs.readFile") {
    // By a descriptor that it is given, `fs.readFile` loses the errors of its reads (Node 20, 22 and 24).
    void readJudged({ spec: member.spec, permitted, guard }, howOf(member, runs), callback);
    return;
  }
  openJudged({ spec: member.spec, permitted, guard }, howOf(member, runs), (error, fd) => {
    if (error !== null || fd === undefined) return callback(error);
    if (action === "fs.open") return callback(null, fd);
    const done = (...results: unknown[]): void =>
      close(fd, (failure) => callback(...(failure === null || results[0] ? results : [failure])));
    try {
      if (action === "fs.truncate") ftruncate(fd, runs[1] as number | undefined, done);
      else run(member, original, self, [fd, ...runs.slice(1), done]);
    } catch (thrown) {
      done(thrown);
    }
  });
};

const readJudged = async (opening: Opening, how: How, callback: AnyFunction): Promise<void> => {
  try {
    const handle = await ownPromise(openJudgedHandle(opening, how));
    let data: unknown;
    try {
      data = await ownPromise(readOpened(handle, opening.permitted.runs[1] as BufferEncoding));
    } finally {
      await ownPromise(methodsOf(handle).close(handle));
    }
    later(callback, null, data);
  } catch (error) {
    later(callback, error);
  }
};

export const runOpenedPromise = async (
  member: Member,
  original: AnyFunction,
  self: unknown,
  permitted: Permitted,
  guard: Guard,
): Promise<unknown> => {
  const { action } = member.spec;
  const { runs } = permitted;
  const attempt = misuse(member, runs);
  if (attempt !== null) {
    try {
      await ownPromise(Reflect.apply(original, self, attempt) as Promise<unknown>);
    } catch (error) {
      if (!isOpenFailure(error)) throw error;
    }
  }
  const handle = await ownPromise(openJudgedHandle({ spec: member.spec, permitted, guard }, howOf(member, runs)));
  if (action === "fs.open") return handle;
  const methods = methodsOf(handle);
  try {
    if (action === "fs.truncate") return await ownPromise(methods.truncate(handle, runs[1]));
    const writing = Reflect.apply(original, self, [handle, ...runs.slice(1)]) as Promise<unknown>;
    const result = await ownPromise(writing);
    // Of a handle that it was given, Node leaves this to whoever opened it.
    if (action !== "fs.readFile" && option(runs[2], "flush")) await ownPromise(methods.sync(handle));
    return result;
  } finally {
    await ownPromise(methods.close(handle));
  }
};

const isAborted = (signal: unknown): boolean =>
  typeof signal === "object" && signal !== null && Boolean(Reflect.get(signal, "aborted"));

const later = process.nextTick.bind(process) as (callback: AnyFunction, ...args: unknown[]) => void;
