import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { heldPath, pathText } from "../path-text.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { type AnyFunction, permittedSync, type Spec } from "../wrap.ts";
import { heldEnvironment, texts } from "./call.ts";
import { faced } from "./face.ts";
import type { Inheritance } from "./inheritance.ts";
import { guardKill } from "./kill.ts";
import { requireGuarded } from "./loses-guard.ts";

/** The functions of `process` that reach beneath the interceptors, or another process. */
export const guardProcess = (patches: Patches, guard: Guard, inheritance: Inheritance | null): void => {
  guardKill(patches, guard);
  patches.replace(process, "dlopen", (original: AnyFunction) => asked(original, addon, guard));
  patches.replace(process, "execve", (original: AnyFunction) => guardedExecve(original, guard, inheritance));
  for (const key of ["binding", "_linkedBinding"]) {
    patches.replace(process, key, (original: AnyFunction) => refusedFunction(original, `process.${key}`, guard));
  }
};

/** `process.dlopen(module, filename[, flags])`: the module is Node's to fill, and is handed on as it is. */
const addon: Spec = {
  action: "process.dlopen",
  hold: ([module, filename, ...rest]) => [module, heldPath(filename), ...rest],
  project: ([, filename]) => ({ path: String(pathText(filename)) }),
  apply([module, filename, ...rest], { path }) {
    if (typeof path !== "string") throw new TypeError("the rewritten path is not text");
    return [module, path === String(pathText(filename)) ? filename : path, ...rest];
  },
};

/**
 * A function that answers at once. Not `guardSync`: nothing of the guard's own comes here, so that nothing passes while the guard
 * asks.
 */
const asked = (original: AnyFunction, spec: Spec, guard: Guard): AnyFunction => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(original, this, permittedSync(spec, args, guard));
  }
  return faced(guarded, original);
};

/** `process.execve(file, args, env)` of Node 22: this process becomes another program. */
const guardedExecve = (original: AnyFunction, guard: Guard, inheritance: Inheritance | null): AnyFunction => {
  const action = "process.execve";
  function guarded(this: unknown, file: unknown, args: unknown = [], env: unknown = process.env): unknown {
    if (typeof file !== "string" || !Array.isArray(args) || typeof env !== "object" || env === null) {
      return Reflect.apply(original, this, [file, args, env]);
    }
    const held = refusedArguments(action, () => ({ args: texts(args, false), env: heldEnvironment(env) }));
    const { args: changed } = guard.askSync(action, { command: file, args: held.args, env: { ...held.env } });
    if (changed !== null) throw blocked(action, "a rewrite of it is not supported");
    requireGuarded({ file, args: [file, ...held.args], cwd: null }, guard, inheritance);
    const own = inheritance === null ? held.env : inheritance.environment(held.env);
    return Reflect.apply(original, this, [file, held.args, own]);
  }
  return faced(guarded, original);
};

/** Beneath it lies what the interceptors guard, whatever its name: no rule could tell one use from another. */
const refusedFunction = (original: AnyFunction, action: string, guard: Guard): AnyFunction => {
  function refused(this: unknown, ...args: unknown[]): unknown {
    if (guard.refuses?.() === false) return Reflect.apply(original, this, args);
    throw blocked(action, "it reaches beneath the guard, and is refused in every guarded process");
  }
  return faced(refused, original);
};
