import { constants } from "node:os";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { type AnyFunction, fields, permittedSync } from "../wrap.ts";
import { requireNoDebugger } from "./debugger.ts";
import { faced } from "./face.ts";

const { signals } = constants;
const spec = fields("pid", "signal")("process.kill");

interface Kill {
  readonly pid: unknown;
  readonly signal: unknown;
}

/**
 * `process.kill(pid[, signal])` is asked for as `{pid, signal?}`. It calls `process._kill(pid, number)`, which is guarded too: what was
 * judged passes there once, and only that.
 */
export const guardKill = (patches: Patches, guard: Guard): void => {
  let judged: Kill | null = null;
  patches.replace(process, "kill", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      // What is no plain value is asked for when Node has made a number of it.
      if (!args.every(isPlain)) return Reflect.apply(original, this, args);
      const [pid, signal, ...rest] = permittedSync(spec, args, guard);
      requireNoDebugger(guard, pid, numberOf(signal));
      judged = { pid, signal: numberOf(signal) };
      try {
        return Reflect.apply(original, this, [pid, signal, ...rest]);
      } finally {
        judged = null;
      }
    }
    return faced(guarded, original);
  });
  patches.replace(process, "_kill", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const known = judged;
      judged = null;
      const [pid, ...rest] = args;
      if (known !== null && known.pid === pid && known.signal === rest[0]) return Reflect.apply(original, this, args);
      // What is asked for is the number that the kernel is given, made of it once.
      const runs = permittedSync(spec, [Number(pid) | 0, ...rest.map((signal) => Number(signal) | 0)], guard);
      requireNoDebugger(guard, runs[0], runs[1]);
      return Reflect.apply(original, this, runs);
    }
    return faced(guarded, original);
  });
};

const isPlain = (value: unknown): boolean => typeof value !== "object" && typeof value !== "function";

const numberOf = (signal: unknown): unknown =>
  typeof signal === "number" ? signal : signals[(signal || "SIGTERM") as NodeJS.Signals];
