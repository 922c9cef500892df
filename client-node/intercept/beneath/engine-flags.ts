import v8 from "node:v8";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import { requireAllowed } from "../required-allow.ts";
import type { AnyFunction } from "../wrap.ts";

const action = "v8.setFlagsFromString";

/** Sizes, and the collector as a function: not asked for. Others write files, open V8's internals, or switch checks off. */
const harmless: readonly string[] = [
  ...["expose-gc", "no-expose-gc", "gc-interval", "gc-global", "max-old-space-size", "max-semi-space-size"],
  ...["min-semi-space-size", "max-heap-size", "initial-heap-size", "stack-size", "stack-trace-limit"],
];

/** `v8.setFlagsFromString {flags}`, which runs where a rule rewrites `allow` to true. */
export const guardEngineFlags = (patches: Patches, guard: Guard): void => {
  patches.replace(v8, "setFlagsFromString", (original: AnyFunction) => {
    function guarded(this: unknown, flags: unknown, ...rest: unknown[]): unknown {
      if (typeof flags === "string" && !flags.split(/\s+/).every(isHarmless)) {
        requireAllowed(guard, action, { flags }, "a flag of V8 may reach beneath the guard");
      }
      return Reflect.apply(original, this, [flags, ...rest]);
    }
    return faced(guarded, original);
  });
};

/** V8 takes `_` for `-`, and a value behind `=`, or as the next word. */
const isHarmless = (word: string): boolean => {
  if (/^[0-9]*$/.test(word)) return true;
  const name = (word.split("=")[0] as string).replaceAll("_", "-");
  return name.startsWith("--") && harmless.includes(name.slice(2));
};
