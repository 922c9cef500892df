import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import { isOwnCall } from "../own-call.ts";

/**
 * The guard itself starts no process. What does so while it asks is a hook of the program's (`async_hooks`), which runs inside of the
 * guard's own step: refused, because the question that is being asked would be asked again without end.
 */
export const notInside = (guard: Guard): Guard => ({
  askSync(action, args) {
    if (isOwnCall()) throw blocked(action, "it was called inside of a question to the guard");
    return guard.askSync(action, args);
  },
  ask: (action, args) => guard.ask(action, args),
  refuses: () => guard.refuses?.() ?? true,
});
