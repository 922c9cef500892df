import { StoreFailed } from "./refused.ts";

/** House-keeping that a failing store does not stop: what it would have done is done the next time. */
export const orLater = (work: () => unknown): void => {
  try {
    const working = work();
    // Thrown out of the promise: a fault of the program ends the engine, as it does where a store answers at once.
    if (working instanceof Promise) working.catch((error: unknown) => setImmediate(() => unlessStoreFailed(error)));
  } catch (error) {
    unlessStoreFailed(error);
  }
};

const unlessStoreFailed = (error: unknown): void => {
  if (!(error instanceof StoreFailed)) throw error;
};
