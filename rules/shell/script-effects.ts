import type { Effect } from "./effect.ts";
import { effectsOf } from "./effects/index.ts";
import type { Script } from "./script.ts";

const known = new WeakMap<Script, readonly Effect[]>();

/** What one script does; told once for all rules that ask. */
export const effectsFor = (script: Script): readonly Effect[] => {
  const before = known.get(script);
  if (before !== undefined) return before;
  const effects = Object.freeze(effectsOf(script));
  known.set(script, effects);
  return effects;
};
