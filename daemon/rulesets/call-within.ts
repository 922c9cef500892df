import { Script } from "node:vm";

/** Somebody else's code did not come back in time. */
export class CallOverran extends Error {
  override readonly name = "CallOverran";
}

const slot = Symbol.for("interlock/call-within");
const holder = globalThis as { [slot]?: () => unknown };
const call = new Script("globalThis[Symbol.for('interlock/call-within')]()", { filename: "interlock/call-within" });

/**
 * Calls `run` and ends it when it does not come back, in an infinite loop or a regular expression too: V8 gives up what
 * runs below a script that has a timeout. It costs some 60 microseconds, so it is for loading and trying rules; what
 * serves is watched from outside (supervisor/watchdog.ts). Throws CallOverran, or what `run` throws.
 */
export const callWithin = <T>(timeout_ms: number, run: () => T): T => {
  const before = holder[slot];
  holder[slot] = run;
  try {
    return call.runInThisContext({ timeout: timeout_ms }) as T;
  } catch (error) {
    throw (error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? new CallOverran() : error;
  } finally {
    if (before === undefined) delete holder[slot];
    else holder[slot] = before;
  }
};
