/**
 * The guard's own use of builtins: its socket, its worker. While it runs, interceptors pass through. Synchronous only, so that
 * no code of the program's runs inside it; one counter a thread, since each thread has its own copy of this module.
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
