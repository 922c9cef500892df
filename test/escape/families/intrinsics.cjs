// A program that alters what JavaScript and Node give to everybody: to catch an original function, or to change a question on its
// way to the daemon.
"use strict";
const { EventEmitter } = require("node:events");
const net = require("node:net");
const { Readable, Writable } = require("node:stream");
const { MessagePort } = require("node:worker_threads");
const { leaking, lying } = require("./_altering.cjs");

const { ownKeys } = Reflect;
const generator = Object.getPrototypeOf(function* () {}).prototype;
const arrayIterator = Object.getPrototypeOf([][Symbol.iterator]());
const everyMethodOf = (...holders) =>
  holders.flatMap((holder) =>
    ownKeys(holder)
      .filter((key) => key !== "constructor")
      .map((key) => [holder, key]),
  );
const typed = Object.getPrototypeOf(Uint8Array);

exports.read = {
  "Reflect.apply": leaking([Reflect, "apply"]),
  "Reflect.construct": leaking([Reflect, "construct"]),
  "Function.prototype.call": leaking([Function.prototype, "call"]),
  "Function.prototype.apply": leaking([Function.prototype, "apply"]),
  "Function.prototype.bind": leaking([Function.prototype, "bind"]),
  "Promise.prototype.then": leaking([Promise.prototype, "then"]),
  "Promise.prototype.catch and finally": leaking([Promise.prototype, "catch"], [Promise.prototype, "finally"]),
  "the Promise itself": leaking([globalThis, "Promise"]),
  "Array.prototype.map and forEach": leaking([Array.prototype, "map"], [Array.prototype, "forEach"]),
  "Array.prototype.push": leaking([Array.prototype, "push"]),
  "Array.prototype.find, filter, some and every": leaking(
    ...["find", "findIndex", "findLastIndex", "filter", "some", "every", "includes"].map((key) => [
      Array.prototype,
      key,
    ]),
  ),
  "Array.prototype's iterator": leaking([Array.prototype, Symbol.iterator], [arrayIterator, "next"]),
  "Array.from and isArray": leaking([Array, "from"], [Array, "isArray"]),
  "Object.defineProperty": leaking([Object, "defineProperty"], [Reflect, "defineProperty"]),
  "Object.entries, keys and fromEntries": leaking([Object, "entries"], [Object, "keys"], [Object, "fromEntries"]),
  "Object.assign, create and freeze": leaking([Object, "assign"], [Object, "create"], [Object, "freeze"]),
  "Reflect.get and ownKeys": leaking([Reflect, "get"], [Reflect, "ownKeys"], [Reflect, "getOwnPropertyDescriptor"]),
  "Map.prototype and Set.prototype": leaking(...everyMethodOf(Map.prototype, Set.prototype)),
  "WeakMap.prototype and WeakSet.prototype": leaking(...everyMethodOf(WeakMap.prototype, WeakSet.prototype)),
  "process.nextTick": leaking([process, "nextTick"]),
  "Function.prototype's call, apply and bind": leaking(
    ...["call", "apply", "bind"].map((key) => [Function.prototype, key]),
  ),
  "queueMicrotask and timers": leaking(
    ...["queueMicrotask", "setTimeout", "setImmediate"].map((key) => [globalThis, key]),
  ),
  "EventEmitter.prototype": leaking(...everyMethodOf(EventEmitter.prototype)),
  "streams' prototypes": leaking(...everyMethodOf(Readable.prototype, Writable.prototype)),
  "net.Socket.prototype": leaking(...everyMethodOf(net.Socket.prototype)),
  "AsyncLocalStorage.prototype.run": leaking(
    [require("node:async_hooks").AsyncLocalStorage.prototype, "run"],
    [require("node:async_hooks").AsyncResource.prototype, "runInAsyncScope"],
  ),
  "every method of every intrinsic": leaking(
    ...everyMethodOf(
      Reflect,
      Object,
      Function.prototype,
      Array,
      Array.prototype,
      Promise,
      Promise.prototype,
      Map.prototype,
      Set.prototype,
    ),
    ...everyMethodOf(
      WeakMap.prototype,
      WeakSet.prototype,
      RegExp.prototype,
      JSON,
      typed.prototype,
      generator,
      arrayIterator,
    ),
  ),
  "a question changed by MessagePort.prototype.postMessage": lying([MessagePort.prototype, "postMessage"]),
  "a question changed by JSON.stringify": lying([JSON, "stringify"]),
  "a question changed by Object.entries and fromEntries": lying([Object, "entries"], [Object, "fromEntries"]),
  "a question changed by Object.keys": lying([Object, "keys"], [Reflect, "ownKeys"]),
  "a question changed by Object.defineProperty": lying([Object, "defineProperty"]),
  "a question changed by Buffer.from": lying([Buffer, "from"], [Buffer, "concat"], [Buffer.prototype, "toString"]),
  "a question changed by latin1 writes": lying(
    [Buffer.prototype, "latin1Slice"],
    [Buffer.prototype, "utf8Slice"],
    [Buffer.prototype, "write"],
  ),
  "a question changed by strings' methods": lying(
    ...["slice", "split", "replace", "startsWith", "includes", "toString", "valueOf", "concat", "substring"].map(
      (key) => [String.prototype, key],
    ),
  ),
  "a question changed by arrays' methods": lying(
    ...["map", "push", "pop", "reverse", "join", "slice", "forEach", "flatMap"].map((key) => [Array.prototype, key]),
  ),
  "a question changed by TextEncoder": lying([TextEncoder.prototype, "encode"], [TextEncoder.prototype, "encodeInto"]),
  "a question changed by net.Socket.prototype.write": lying(
    [net.Socket.prototype, "write"],
    [Writable.prototype, "write"],
  ),
  "a question changed by structuredClone and String": lying([globalThis, "structuredClone"], [globalThis, "String"]),
};
