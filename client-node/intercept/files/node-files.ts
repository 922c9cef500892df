import module from "node:module";
import os from "node:os";
import { jsonView } from "../argument-view.ts";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import { loadQuietly } from "../load-quietly.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";
import { heldFile, requireFile } from "./required-file.ts";

const { tmpdir } = os;

/** Files of Node's own that a program can have read or written: the environment's, traces, compiled code. */
export const guardNodeFiles = (patches: Patches, guard: Guard): void => {
  patches.replace(process, "loadEnvFile", (original: AnyFunction) => {
    const action = "process.loadEnvFile";
    function guarded(this: unknown, given: unknown, ...rest: unknown[]): unknown {
      const path = heldFile(action, given);
      // Node refuses what is neither a path nor nothing.
      if (isPath(path)) requireFile(guard, action, path);
      else if (path === undefined || path === null) requireFile(guard, action, ".env");
      return Reflect.apply(original, this, [path, ...rest]);
    }
    return faced(guarded, original);
  });
  // Threads have none.
  const traces = loadQuietly<object>("trace_events");
  patches.replace(traces?.module ?? {}, "createTracing", (original: AnyFunction) => {
    const action = "trace_events.createTracing";
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const options = jsonView(args[0]);
      requireFile(guard, action, ".", options === undefined ? {} : { options });
      return Reflect.apply(original, this, args);
    }
    return faced(guarded, original);
  });
  patches.replace(module, "enableCompileCache", (original: AnyFunction) => {
    const action = "module.enableCompileCache";
    function guarded(this: unknown, given: unknown, ...rest: unknown[]): unknown {
      const held = isOptions(given)
        ? { ...given, directory: heldFile(action, given.directory) }
        : heldFile(action, given);
      const path = isOptions(held) ? held.directory : held;
      requireFile(guard, action, isPath(path) ? path : ownCache());
      return Reflect.apply(original, this, [held, ...rest]);
    }
    return faced(guarded, original);
  });
};

/** Where Node keeps compiled code when it is told no folder. */
const ownCache = (): string => process.env.NODE_COMPILE_CACHE || `${tmpdir()}/node-compile-cache`;

const isPath = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;

/** Node 24 takes `{directory, portable}` as well; a URL is no such object. */
const isOptions = (value: unknown): value is { readonly directory?: unknown } =>
  typeof value === "object" && value !== null && !("href" in value) && !(value instanceof Uint8Array);
