import { isOwnCall } from "../own-call.ts";

/**
 * Is this the guard, on its way to the daemon? Hooks of the program's (`async_hooks`, `diagnostics_channel`) run inside a step of the
 * guard's own, so that the step alone proves nothing: only the daemon's socket passes, and nothing else of the network.
 */
export const isOwnConnection = (path: unknown, ownPath: string | null): boolean =>
  ownPath !== null && path === ownPath && isOwnCall();
