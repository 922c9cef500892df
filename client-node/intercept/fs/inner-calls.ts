import { AsyncLocalStorage } from "node:async_hooks";
import { types } from "node:util";
import { promiseOfProgram } from "../program-realm.ts";
import { isPath } from "./path-argument.ts";
import { resolvedPath } from "./resolved-path.ts";

const { isPromise } = types;

/**
 * Node's own functions call each other through the module that is patched: `fs.appendFile` calls `fs.writeFile`, which calls
 * `fs.open`. One call of the program's is one question, so those calls pass: only the functions that are named, and only while no
 * code of the program's runs.
 */
interface Inner {
  readonly members: readonly string[];
  /** The argument that they must be called with; undefined: any. */
  readonly path: unknown;
}

let current: Inner | null = null;

/** Runs a builtin that calls others before it returns. */
export const withInner = <T>(members: readonly string[] | undefined, path: unknown, step: () => T): T => {
  if (members === undefined) return step();
  const before = current;
  current = { members, path };
  try {
    return step();
  } finally {
    current = before;
  }
};

/** A builtin that goes on after it has returned. A program's `async_hooks` run inside of it: it may reach nothing beyond its own paths. */
export interface Later {
  readonly members: readonly string[];
  /** Where the call may go, resolved; null: anywhere. */
  readonly roots: readonly string[] | null;
}

const isWithin = (member: string, path: unknown, roots: readonly string[] | null): boolean => {
  if (roots === null) return true;
  const place = isPath(path) ? resolvedPath(path, "kept") : null;
  if (place === null) return false;
  // A copy looks at the folders above its destination, and makes them.
  const isAbove = aboveToo.includes(member);
  return roots.some((root) => isIn(place, root) || (isAbove && isIn(root, place)));
};

const aboveToo: readonly string[] = ["promises.stat", "promises.lstat", "promises.mkdir"];

const isIn = (place: string, root: string): boolean =>
  place === root || place.startsWith(root === "/" ? root : `${root}/`);

/** A function of the program's that a builtin calls: nothing passes in it. */
export const outside = <A extends readonly unknown[], R>(call: (this: unknown, ...args: A) => R) =>
  function outsideOfInner(this: unknown, ...args: A): R {
    const before = current;
    current = null;
    try {
      return later.run(null, () => settled(Reflect.apply(call, this, args)));
    } finally {
      current = before;
    }
  };

/** A thenable of the program's is asked for its value here, not where the builtin awaits it. */
const settled = <R>(value: R): R => {
  if (typeof value !== "object" || value === null || isPromise(value)) return value;
  return typeof (value as { readonly then?: unknown }).then === "function"
    ? (promiseOfProgram(Promise.resolve(value)) as R)
    : value;
};

/** The functions that a builtin calls after it has returned. Async context is followed from the first such call on, not before. */
const later = new AsyncLocalStorage<Later | null>();
let isFollowed = false;

export const withLaterInner = <T>(inner: Later, step: () => T): T => {
  isFollowed = true;
  return later.run(inner, step);
};

/** Is this call one of a builtin's, for which the program has asked already? */
export const isInner = (member: string, path: unknown): boolean => {
  if (current?.members.includes(member) && (current.path === undefined || current.path === path)) return true;
  const inner = isFollowed ? later.getStore() : null;
  return inner?.members.includes(member) === true && isWithin(member, path, inner.roots);
};
