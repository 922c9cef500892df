import { blocked } from "../ask.ts";
import { BlockedError } from "../blocked-error.ts";
import { notPutToGuard } from "../reasons.ts";

/** Reads or makes arguments; what throws on the way (a getter, a proxy, a rewrite that fits nowhere) blocks the call. */
export const refusedArguments = <T>(action: string, step: () => T): T => {
  try {
    return step();
  } catch (error) {
    if (error instanceof BlockedError) throw error;
    throw blocked(action, notPutToGuard(action, "call", error));
  }
};
