/**
 * First in the guard's own realm: makes its intrinsics fit for values of the program's realm, and unchangeable. What the guard
 * hands out leads back here (a function's `constructor`, a promise that an async hook sees): there is nothing to change.
 */
import { types } from "node:util";

const { defineProperty, freeze, getOwnPropertyDescriptors, getPrototypeOf } = Object;

/** A value of the program's realm is an instance by what it is, not by its prototype, which the program can change. */
const told: readonly (readonly [object, (value: unknown) => boolean])[] = [
  [Uint8Array, types.isUint8Array],
  [DataView, types.isDataView],
  [Date, types.isDate],
  [Map, types.isMap],
  [Set, types.isSet],
  [Promise, types.isPromise],
  [RegExp, types.isRegExp],
];
for (const [known, is] of told) {
  defineProperty(known, Symbol.hasInstance, { value: (value: unknown): boolean => is(value) });
}

/** Assigning to an object's `constructor` or `toString` goes on as if the prototype were not frozen. */
for (const [key, { value }] of Object.entries(getOwnPropertyDescriptors(Object.prototype))) {
  if (value === undefined) continue;
  defineProperty(Object.prototype, key, {
    get: () => value,
    set(this: object, own: unknown) {
      defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
    },
  });
}

/** Iterators, generators and asynchronous functions have prototypes that no global names. */
const unnamed: readonly object[] = [
  ...[[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/./g)],
  ...[async () => undefined, function* () {}, async function* () {}],
  ...[(function* () {})(), (async function* () {})()],
];

/** Not `Error`, which is the program's here. */
const classes: readonly (object & { readonly prototype: object })[] = [
  ...[Object, Function, Array, String, Number, Boolean, BigInt, Symbol, RegExp, Date, Promise],
  ...[Map, Set, WeakMap, WeakSet, WeakRef, ArrayBuffer, SharedArrayBuffer, DataView],
  ...[Uint8Array, Int32Array, Float64Array, TypeError, RangeError, SyntaxError, ReferenceError],
];

const freezeChain = (object: object): void => {
  for (let at: object | null = object; at !== null; at = getPrototypeOf(at) as object | null) freeze(at);
};

for (const known of classes) {
  freezeChain(known);
  freezeChain(known.prototype);
}
for (const space of [Reflect, JSON, Math, Atomics, Proxy]) freeze(space);
for (const each of unnamed) freezeChain(getPrototypeOf(each) as object);
