import { Unrepresentable } from "./errors.ts";
import { maxNestingDepth } from "./limits.ts";

/**
 * Which objects are JSON's objects and arrays. Own data only: a class instance has behaviour that a copy would lose, so
 * it is not plain. An object of another realm (`vm`, a test runner's sandbox) has another `Object.prototype` and is plain
 * all the same.
 */
const sourceOf = Function.prototype.toString;
const foreign = Object.freeze({
  Object: new WeakSet<object>(),
  Array: new WeakSet<object>(),
  Set: new WeakSet<object>(),
});

/** Is this the prototype of the built-in class of that name, in whatever realm? A class written in JavaScript cannot look like one: its source text is its own. */
export const isIntrinsicPrototype = (prototype: object, name: keyof typeof foreign): boolean => {
  const known = foreign[name];
  if (known.has(prototype)) return true;
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof made !== "function" || made.prototype !== prototype) return false;
  if (sourceOf.call(made) !== `function ${name}() { [native code] }`) return false;
  known.add(prototype);
  return true;
};

export const isPlainObject = (value: object): boolean => {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isIntrinsicPrototype(prototype, "Object");
};

/** The keys of a plain object. Refuses symbol keys and hidden (non-enumerable) ones: both would be dropped. */
export const plainKeys = (value: object): string[] => {
  if (!isPlainObject(value)) throw new Unrepresentable(describe(value));
  const keys = Object.keys(value);
  if (Object.getOwnPropertyNames(value).length !== keys.length) throw new Unrepresentable("a hidden property");
  if (Object.getOwnPropertySymbols(value).length !== 0) throw new Unrepresentable("a symbol key");
  return keys;
};

/** Refuses a subclass of Array, a hole, and an array with properties beside its elements. */
export const assertPlainArray = (value: readonly unknown[]): void => {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype !== Array.prototype && (prototype === null || !isIntrinsicPrototype(prototype, "Array"))) {
    throw new Unrepresentable(describe(value));
  }
  // One key an element. (A hole and a property beside the elements together keep the count: the hole then reads undefined.)
  const surplus = Object.keys(value).length - value.length;
  if (surplus < 0) throw new Unrepresentable("a hole in an array");
  if (surplus > 0 || Object.getOwnPropertySymbols(value).length !== 0) {
    throw new Unrepresentable("an array with properties beside its elements");
  }
};

export const tooDeep = (): Unrepresentable =>
  new Unrepresentable(`a value nested deeper than ${maxNestingDepth} levels, or inside itself,`);

/** What a refused value is, in words; never what it holds. */
export const describe = (value: unknown): string => {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "number":
      return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? "an integer beyond 2^53-1" : "Infinity";
    case "object":
      return value === null ? "null" : "an object that is not plain";
    case "string":
      return "a string with a lone surrogate";
    default:
      return `a ${typeof value}`;
  }
};
