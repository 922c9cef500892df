import { AsyncLocalStorage } from "node:async_hooks";
import { types } from "node:util";
import { withOwnPrototypes } from "../../own-prototypes.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { isPath } from "./path-argument.ts";
import { resolvedPath } from "./resolved-path.ts";

const { isPromise } = types;

/**
 * Node's own functions call each other through the module that is patched: `fs.appendFile` calls `fs.writeFile`, which calls
 * `fs.open`. One call of the program's is one question, so those calls pass: only the functions that are named, and only while no
 * code of the program's runs.
 */
type Inner = OnPath | Within;

/** Each is good for one call with exactly this argument: the builtin's, which comes first. */
interface OnPath {
  readonly members: Set<string>;
  readonly path: unknown;
}

let current: Inner | null = null;

/** Calls that are one of a builtin's on the path that it was called with. */
export const onPath = (members: readonly string[], path: unknown): OnPath => ({ members: new Set(members), path });

/** Runs a builtin that calls others before it returns. */
export const withInner = <T>(inner: Inner | undefined, step: () => T): T => {
  if (inner === undefined) return step();
  const before = current;
  current = inner;
  try {
    return step();
  } finally {
    current = before;
  }
};

/**
 * A builtin that calls others many times, also after it has returned. The program's code can run in between (an `async_hooks` hook, a method
 * of `fs.Stats` that it replaced): it may reach nothing beyond the builtin's own paths.
 */
export interface Within {
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

const aboveToo: readonly string[] = [
  ...["promises.stat", "promises.lstat", "promises.mkdir"],
  ...["statSync", "lstatSync", "mkdirSync", "existsSync"],
];

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
const later = withOwnPrototypes(new AsyncLocalStorage<Within | null>());
let isFollowed = false;
/** A program can reach where Node keeps a store, and put another there. */
const ours = new WeakSet<Within>();

export const withLaterInner = <T>(inner: Within, step: () => T): T => {
  isFollowed = true;
  ours.add(inner);
  return later.run(inner, step);
};

/** Is this call, with these paths, one of a builtin's, for which the program has asked already? */
export const isInner = (member: string, paths: readonly unknown[]): boolean => {
  if (current !== null && isOf(current, member, paths)) return true;
  const inner = isFollowed ? (later.getStore() ?? null) : null;
  return inner !== null && ours.has(inner) && isOf(inner, member, paths);
};

const isOf = (inner: Inner, member: string, paths: readonly unknown[]): boolean => {
  if (!("roots" in inner)) return inner.path === paths[0] && inner.members.delete(member);
  return inner.members.includes(member) && paths.every((path) => isWithin(member, path, inner.roots));
};
