import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compileFunction, createContext, runInContext } from "node:vm";

/**
 * The exports of a CommonJS file, run in a realm of its own. A program can alter each of JavaScript's intrinsics (`Reflect.apply`,
 * `Array.prototype`, `Promise`), and would so read or steer whatever uses them after it. The guard uses those of a realm that no
 * code of the program's runs in: text cannot be made code there, and own-intrinsics.ts freezes them.
 */
export const inOwnRealm = (file: URL): unknown => {
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const own = runInContext("globalThis", context) as Readonly<Record<string, unknown>>;
  const path = fileURLToPath(file);
  const module = { exports: {} };
  const given: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(intrinsics.map((name) => [name, own[name]])),
    // The program's: what the guard guards, and the class of what it throws.
    ...{ globalThis, process, Error },
    ...{ module, require: createRequire(file), __filename: path },
  };
  const run = compileFunction(readFileSync(path, "utf8"), Object.keys(given), {
    filename: path,
    parsingContext: context,
  });
  Reflect.apply(run, undefined, Object.values(given));
  return module.exports;
};

const intrinsics = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "RegExp", "Date", "Promise"],
  ...["Map", "Set", "WeakMap", "WeakSet", "WeakRef", "ArrayBuffer", "SharedArrayBuffer", "DataView"],
  ...["Uint8Array", "Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "Reflect", "Proxy", "JSON", "Math", "Atomics"],
  ...["isNaN", "TypeError", "RangeError", "SyntaxError", "ReferenceError"],
];
