import { devNull } from "node:os";
import { types } from "node:util";
import { isUint8Array, openFile } from "./captured.ts";
import type { AnyFunction } from "./forms.ts";

const { isProxy } = types;
const { getPrototypeOf } = Object;

/** The methods of `FileHandle` by which `fs.promises` functions work on one. The class is exported nowhere: a handle shows it. */
type Methods = Readonly<Record<string, AnyFunction>> & { readonly prototype: object };

let methods: Promise<Methods> | null = null;

const learn = async (): Promise<Methods> => {
  const handle = await openFile(devNull);
  await handle.close();
  const prototype = getPrototypeOf(handle);
  const { readFile, writeFile, appendFile } = prototype;
  return {
    prototype,
    "promises.readFile": readFile,
    "promises.writeFile": writeFile,
    "promises.appendFile": appendFile,
  };
};

/** May it be a handle? Asked first, since the answer for certain takes a moment. */
export const maybeHandle = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isUint8Array(value) && !isProxy(value);

/**
 * What a function of `fs.promises` does with a handle, which was judged when it was opened: its own method. Null for what is not
 * one, or where the function takes none.
 */
export const methodOf = async (key: string, value: object): Promise<AnyFunction | null> => {
  methods ??= learn();
  const known = await methods;
  for (let at: object | null = value; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    if (at === known.prototype) return known[key] ?? null;
  }
  return null;
};
