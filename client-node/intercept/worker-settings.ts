import threads from "node:worker_threads";
import { blocked } from "../ask.ts";
import { faced } from "./exec/face.ts";
import type { Patches } from "./patch.ts";
import { settingsKey } from "./preload-settings.ts";
import type { AnyFunction } from "./wrap.ts";

/**
 * What a thread guards itself with is handed to it among Node's environment data: under a name that the program cannot set, so that no thread
 * asks another daemon, and cannot read, since the token is among it.
 */
export const keepWorkerSettings = (patches: Patches): void => {
  patches.replace(threads, "setEnvironmentData", (original: AnyFunction) => {
    function guarded(this: unknown, name: unknown, ...rest: unknown[]): unknown {
      if (name === settingsKey) {
        throw blocked("worker_threads.setEnvironmentData", `'${settingsKey}' is what threads guard themselves with`);
      }
      return Reflect.apply(original, this, [name, ...rest]);
    }
    return faced(guarded, original);
  });
  patches.replace(threads, "getEnvironmentData", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      return args[0] === settingsKey ? undefined : Reflect.apply(original, this, args);
    }
    return faced(guarded, original);
  });
};
