import module from "node:module";
import { blocked } from "../../ask.ts";
import { itemsOf } from "../../items-of.ts";
import type { Guard } from "../ask.ts";
import { forgetCompileCache } from "../compile-cache.ts";
import type { Patches } from "../patch.ts";
import { isUrlLike } from "../path-text.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { requireHookPath } from "../require-hook-path.ts";
import type { AnyFunction } from "../wrap.ts";
import { faced } from "./face.ts";

const action = "module.register";

/**
 * `module.register(specifier[, parentURL][, options])` runs a module in a thread of Node's own, which gets what this process was started
 * with by `--require`, and nothing of `--import`. Asked for as `{specifier, guarded, allow: false}`; where the thread would not be
 * guarded, only a rule that rewrites `allow` to true lets it start.
 */
export const guardLoaderThreads = (patches: Patches, guard: Guard): void => {
  const isGuarded = wasRequired();
  patches.replace(module, "register", (original: AnyFunction) => {
    function guarded(this: unknown, given: unknown, ...rest: unknown[]): unknown {
      const specifier = refusedArguments(action, () => (isUrlLike(given) ? `${given.href}` : given));
      // Node refuses what is neither.
      if (typeof specifier !== "string") return Reflect.apply(original, this, [given, ...rest]);
      const { args: changed } = guard.askSync(action, { specifier, guarded: isGuarded, allow: false });
      if (changed !== null && changed.specifier !== specifier)
        throw blocked(action, "a rewrite of it is not supported");
      if (!isGuarded && guard.refuses?.() !== false && changed?.allow !== true) {
        throw blocked(
          action,
          "the loader's thread would not be guarded; start the guard with --require interlock-guard/require-hook instead of --import",
        );
      }
      forgetCompileCache();
      return Reflect.apply(original, this, [specifier, ...rest]);
    }
    return faced(guarded, original);
  });
};

/** Was the preload given by `--require`? Then each thread of Node's own begins with it too. */
const wasRequired = (): boolean => {
  const { _preload_modules: preloads } = process as { readonly _preload_modules?: unknown };
  return (
    Array.isArray(preloads) && itemsOf<unknown>(preloads).some((name) => name === requireHookPath || name === byName)
  );
};

const byName = "interlock-guard/require-hook";
