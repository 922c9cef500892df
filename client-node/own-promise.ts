const { defineProperties } = Object;
const own = {
  constructor: { value: Promise },
  // biome-ignore lint/suspicious/noThenProperty: it is a promise's own
  then: { value: Promise.prototype.then },
};

/**
 * A promise of the guard's that is asked for nothing but its state. `async_hooks` shows a program each promise as it is made, and it could
 * give it a `then` that answers for it. Where it has already, this throws.
 */
export const ownPromise = <T>(promise: Promise<T>): Promise<T> => defineProperties(promise, own);
