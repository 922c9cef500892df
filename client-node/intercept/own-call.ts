/**
 * The guard's own use of builtins: its socket, its worker. Hooks of the program's (`async_hooks`, `diagnostics_channel`) run inside of
 * it too, so that it lets nothing pass by itself: the way to the daemon's own socket is told by its path (net/own-connection.ts), and
 * whatever else is called meanwhile is the program's, and refused. One counter a thread, since each has its own copy of this module.
 */
let depth = 0;

/** Runs a step of the guard's own. It must call nothing that the program supplied. */
export const asOwnCall = <T>(step: () => T): T => {
  depth++;
  try {
    return step();
  } finally {
    depth--;
  }
};

export const isOwnCall = (): boolean => depth > 0;
