// Puts a spy in the place of every function that a program can replace, and prints which of them the guard called, and which accessor on
// `Object.prototype` it met. What the program itself needs it has taken before.
import { createRequire } from "node:module";

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { captureStackTrace } = Error;
const { add } = Set.prototype;
const { endsWith } = String.prototype;
const StackError = Error;
const require = createRequire(import.meta.url);

const reached = new Set();
let isNoting = false;

/** The file that the caller of a spy is in. Frames without one are the engine's own functions. */
const callerOf = (spy) => {
  const { prepareStackTrace, stackTraceLimit } = StackError;
  const holder = {};
  StackError.stackTraceLimit = 4;
  StackError.prepareStackTrace = (_error, sites) => {
    for (let at = 0; at < sites.length; at++) {
      const file = sites[at].getFileName();
      if (typeof file === "string") return file;
    }
    return "";
  };
  captureStackTrace(holder, spy);
  const file = holder.stack;
  StackError.prepareStackTrace = prepareStackTrace;
  StackError.stackTraceLimit = stackTraceLimit;
  return file;
};

const note = (name, spy) => {
  if (isNoting) return;
  isNoting = true;
  const file = callerOf(spy);
  if (apply(endsWith, file, ["own-realm.cjs"]) || apply(endsWith, file, ["require-hook.cjs"]))
    apply(add, reached, [name]);
  isNoting = false;
};

const spyOn = (original, name) => {
  function spy(...args) {
    note(name, spy);
    if (new.target === undefined) return apply(original, this, args);
    return construct(original, args, new.target === spy ? original : new.target);
  }
  for (const key of ownKeys(original)) {
    const descriptor = getOwnPropertyDescriptor(original, key);
    if (key !== "prototype" || descriptor.writable) defineProperty(spy, key, descriptor);
  }
  if (original.prototype !== undefined) spy.prototype = original.prototype;
  Object.setPrototypeOf(spy, getPrototypeOf(original));
  return spy;
};

const planned = [];
const seen = new Set();

/** Plans a spy for each function that an object holds. */
const plan = (object, name, left = []) => {
  if (object === null || (typeof object !== "object" && typeof object !== "function") || seen.has(object)) return;
  seen.add(object);
  for (const key of ownKeys(object)) {
    if (key === "constructor" || key === "prototype" || left.includes(key)) continue;
    const descriptor = getOwnPropertyDescriptor(object, key);
    const label = `${name}.${String(key)}`;
    const change = {};
    for (const part of ["value", "get", "set"]) {
      if (typeof descriptor[part] === "function")
        change[part] = spyOn(descriptor[part], part === "value" ? label : `${part} ${label}`);
    }
    if (ownKeys(change).length === 0) continue;
    if (descriptor.configurable || (change.value && descriptor.writable))
      planned.push([object, key, { __proto__: null, ...descriptor, ...change }]);
  }
};

/** A class and its prototypes. */
const planClass = (known, name) => {
  plan(known, name);
  for (
    let at = known.prototype, up = name;
    at !== undefined && at !== null && at !== Object.prototype;
    at = getPrototypeOf(at)
  ) {
    plan(at, `${up}.prototype`);
    up = getPrototypeOf(at)?.constructor?.name ?? up;
  }
};

for (const space of ["Reflect", "JSON", "Math", "Atomics", "Intl"]) plan(globalThis[space], space);
const language = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "RegExp", "Date", "Promise"],
  ...["Map", "Set", "WeakMap", "WeakSet", "WeakRef", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Uint8Array"],
  ...["Int32Array", "Float64Array", "BigInt64Array", "Error", "TypeError", "RangeError", "AggregateError", "Proxy"],
];
for (const name of language) planClass(globalThis[name], name);
plan(Object.prototype, "Object.prototype");
plan(Function.prototype, "Function.prototype");
plan(getPrototypeOf(Uint8Array), "TypedArray");
for (const [name, one] of Object.entries({
  ArrayIterator: [].values(),
  MapIterator: new Map().values(),
  SetIterator: new Set().values(),
  StringIterator: ""[Symbol.iterator](),
  RegExpStringIterator: "".matchAll(/./g),
  Generator: (function* () {})(),
  AsyncGenerator: (async function* () {})(),
})) {
  for (let at = getPrototypeOf(one), up = name; at !== Object.prototype; at = getPrototypeOf(at), up = `${up}.base`)
    plan(at, up);
}

const modules = [
  ...[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
  ],
  ...["events", "fs", "fs/promises", "http", "http2", "https", "module", "net", "os", "path", "perf_hooks", "stream"],
  ...[
    "stream/promises",
    "timers",
    "timers/promises",
    "tls",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
  ],
];
for (const name of modules) {
  const exported = require(`node:${name}`);
  plan(exported, name);
  for (const key of ownKeys(exported)) {
    const { value } = getOwnPropertyDescriptor(exported, key);
    if (typeof value === "function" && typeof value.prototype === "object") planClass(value, `${name}.${String(key)}`);
  }
}
plan(process, "process");
plan(getPrototypeOf(process), "process.base");
for (const key of [
  "URL",
  "URLSearchParams",
  "Buffer",
  "TextEncoder",
  "TextDecoder",
  "EventTarget",
  "Event",
  "AbortController",
  "AbortSignal",
  "Headers",
  "Request",
  "Response",
  "MessagePort",
  "Performance",
]) {
  planClass(globalThis[key], key);
}
plan(globalThis, "globalThis", language);
plan(performance, "performance");

/** Names that options, answers and messages are read by. With those of a descriptor (`get`, `value`) no program runs. */
const inherited = [
  ...["then", "verdict", "args", "message", "path"],
  ...[
    "fd",
    "allow",
    "toJSON",
    "action",
    "decision",
    "refusal",
    "number",
    "modified_args",
    "replaces_args",
    "isFallback",
  ],
  ...[
    "encoding",
    "flag",
    "flags",
    "fs",
    "host",
    "hostname",
    "port",
    "family",
    "lookup",
    "address",
    "dispatcher",
    "origin",
  ],
  ...["method", "headers", "url", "href", "protocol", "command", "options", "env", "cwd", "shell", "execArgv", "argv0"],
  ...["principal", "reason", "id", "frame", "features", "plan", "isUsed", "members", "roots", "resolved_path", "dest"],
  ...["handle", "oncomplete", "code", "error", "native", "inner", "later", "innerAnywhere", "spec", "fields", "apply"],
];

export const startSpying = () => {
  for (const [object, key, descriptor] of planned) {
    try {
      defineProperty(object, key, descriptor);
    } catch {}
  }
  for (const key of inherited) {
    const name = `Object.prototype.${key}`;
    const get = () => {
      note(`get ${name}`, get);
      return undefined;
    };
    function set(value) {
      note(`set ${name}`, set);
      defineProperty(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }
    defineProperty(Object.prototype, key, { __proto__: null, get, set, configurable: true });
  }
  // Put there last: what is above uses them. Node asks the global `Error` how stacks are read.
  for (const name of language) {
    if (name === "Error") continue;
    const known = globalThis[name];
    defineProperty(globalThis, name, {
      __proto__: null,
      value: spyOn(known, `new ${name}`),
      writable: true,
      configurable: true,
    });
  }
};

/** Each once, sorted. */
export const reachedByGuard = () => reached;
