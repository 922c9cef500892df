import type { Guard } from "../ask.ts";
import { refuseInside } from "../refuse-inside.ts";

/** The guard itself starts no process: what does so while it asks is a hook of the program's. */
export const notInside = (guard: Guard): Guard => ({
  askSync(action, args) {
    refuseInside(action);
    return guard.askSync(action, args);
  },
  ask: (action, args) => guard.ask(action, args),
  refuses: () => guard.refuses?.() ?? true,
});
