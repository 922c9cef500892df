import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import { loadQuietly } from "../load-quietly.ts";
import type { Patches } from "../patch.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { requireAllowed } from "../required-allow.ts";
import type { AnyFunction } from "../wrap.ts";

const why = "a debugger sees and changes what the guard keeps to itself";

interface Inspector {
  readonly Session: { readonly prototype: object };
}

/**
 * Messages of a session that measure, or tell names, and nothing else: profilers, coverage tools and Node's own REPL use them. They are
 * not asked for; any other can read the variables of the guard's own functions.
 */
const measures: readonly string[] = [
  ...["enable", "disable", "globalLexicalScopeNames"].map((name) => `Runtime.${name}`),
  ...["enable", "disable", "collectGarbage", "startSampling", "stopSampling", "getSamplingProfile"].map(
    (name) => `HeapProfiler.${name}`,
  ),
  ...["enable", "disable", "start", "stop", "setSamplingInterval"].map((name) => `Profiler.${name}`),
  ...["startPreciseCoverage", "stopPreciseCoverage", "takePreciseCoverage", "getBestEffortCoverage"].map(
    (name) => `Profiler.${name}`,
  ),
];

/**
 * `inspector.open {port, host}`, `inspector.Session.post {method}` and `process._debugProcess {pid}`, which run where a rule rewrites `allow` to true. A program that
 * was started with `--inspect` is debugged by whoever started it: that is not asked for.
 */
export const guardInspector = (patches: Patches, guard: Guard): void => {
  patches.replace(process, "_debugProcess", (original: AnyFunction) => {
    function guarded(this: unknown, pid: unknown, ...rest: unknown[]): unknown {
      const to = Number(pid);
      requireAllowed(guard, "process._debugProcess", { pid: to }, why);
      return Reflect.apply(original, this, [to, ...rest]);
    }
    return faced(guarded, original);
  });
  for (const name of ["inspector", "inspector/promises"]) {
    // Node can be built without one.
    const inspector = loadQuietly<Inspector>(name)?.module;
    if (inspector === undefined) return;
    patches.replace(inspector, "open", (original: AnyFunction) => {
      function guarded(this: unknown, ...args: unknown[]): unknown {
        const [port, host] = args.map((value) => (isPlain(value) ? value : null));
        requireAllowed(guard, "inspector.open", { port: port ?? null, host: host ?? null }, why);
        return Reflect.apply(original, this, [port, host, ...args.slice(2)]);
      }
      return faced(guarded, original);
    });
    patches.replace(inspector.Session.prototype, "post", (original: AnyFunction) => {
      const judge = (method: unknown): void => {
        if (typeof method !== "string" || measures.includes(method)) return;
        requireAllowed(guard, "inspector.Session.post", { method }, why);
      };
      function guarded(this: unknown, method: unknown, ...rest: unknown[]): unknown {
        const callback = rest.find((value): value is AnyFunction => typeof value === "function");
        try {
          judge(method);
        } catch (error) {
          // Before it returns, as Node answers here.
          if (callback === undefined) throw error;
          callback(error);
          return undefined;
        }
        return Reflect.apply(original, this, [method, ...rest]);
      }
      const run = async (self: unknown, [method, ...rest]: readonly unknown[]): Promise<unknown> => {
        judge(method);
        return Reflect.apply(original, self, [method, ...rest]);
      };
      function guardedPromise(this: unknown, ...args: unknown[]): Promise<unknown> {
        return promiseOfProgram(run(this, args));
      }
      return faced(name === "inspector" ? guarded : guardedPromise, original);
    });
  }
};

const isPlain = (value: unknown): boolean => typeof value === "number" || typeof value === "string";
