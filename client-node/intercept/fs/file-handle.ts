import { devNull } from "node:os";
import { types } from "node:util";
import { ownPromise } from "../../own-promise.ts";
import { isUint8Array, openFile } from "./captured.ts";
import type { AnyFunction } from "./member.ts";

const { isProxy } = types;
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;

export type Handle = Awaited<ReturnType<typeof openFile>>;

/** The methods of `FileHandle` that the guard uses. The class is exported nowhere: a handle shows it. */
interface Methods {
  readonly prototype: object;
  /** By which `fs.promises` functions work on a handle. */
  readonly byKey: Readonly<Record<string, AnyFunction>>;
  readonly fd: (handle: Handle) => number;
  readonly close: (handle: Handle) => Promise<void>;
  readonly sync: (handle: Handle) => Promise<void>;
  readonly truncate: (handle: Handle, length: unknown) => Promise<void>;
}

let known: Methods | null = null;

/** Learned from the first handle that there is, before the program has one by which it could alter them. */
export const methodsOf = (handle: Handle): Methods => {
  known ??= learned(getPrototypeOf(handle));
  return known;
};

const learned = (prototype: object & Readonly<Record<string, AnyFunction>>): Methods => {
  const { readFile, writeFile, appendFile, close, sync, truncate } = prototype as Readonly<Record<string, AnyFunction>>;
  const fd = getOwnPropertyDescriptor(prototype, "fd")?.get as AnyFunction;
  return {
    prototype,
    byKey: {
      "promises.readFile": readFile as AnyFunction,
      "promises.writeFile": writeFile as AnyFunction,
      "promises.appendFile": appendFile as AnyFunction,
    },
    fd: (handle) => Reflect.apply(fd, handle, []),
    // Each handle has it as its own.
    close: (handle) => (close === undefined ? handle.close() : Reflect.apply(close, handle, [])),
    sync: (handle) => Reflect.apply(sync as AnyFunction, handle, []),
    truncate: (handle, length) => Reflect.apply(truncate as AnyFunction, handle, [length]),
  };
};

const knownMethods = async (): Promise<Methods> => {
  if (known !== null) return known;
  const handle = await ownPromise(openFile(devNull));
  const methods = methodsOf(handle);
  await ownPromise(methods.close(handle));
  return methods;
};

/** May it be a handle? Asked first, since the answer for certain takes a moment. */
export const maybeHandle = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isUint8Array(value) && !isProxy(value);

/**
 * What a function of `fs.promises` does with a handle, which was judged when it was opened: its own method. Null for what is not
 * one, or where the function takes none.
 */
export const methodOf = async (key: string, value: object): Promise<AnyFunction | null> => {
  const methods = await ownPromise(knownMethods());
  for (let at: object | null = value; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    if (at === methods.prototype) return methods.byKey[key] ?? null;
  }
  return null;
};
