/** What a store answers: at once where it is embedded, later where it is a server. */
export type Maybe<T> = T | Promise<T>;

/**
 * Work against a store, written once for both: each `yield* step(...)` is one question to it. On SQLite it runs from
 * start to end without leaving the turn of the event loop; on PostgreSQL each step is awaited.
 */
export type Steps<T> = Generator<Maybe<unknown>, T, unknown>;

export function* step<T>(answer: Maybe<T>): Steps<T> {
  return (yield answer) as T;
}

/** Runs steps to their end. What a step throws is thrown into the steps, as `await` would. */
export const runSteps = <T>(steps: Steps<T>): Maybe<T> => {
  let next = steps.next();
  while (next.done !== true) {
    if (next.value instanceof Promise) return finishLater(steps, next.value);
    next = steps.next(next.value);
  }
  return next.value;
};

/**
 * Runs steps to their end in this turn, for a store that is embedded. A step that answers later is a fault of the
 * program: it throws, so that a transaction is never left open while others write.
 */
export const runStepsNow = <T>(steps: Steps<T>): T => {
  let next = steps.next();
  while (next.done !== true) {
    next =
      next.value instanceof Promise
        ? steps.throw(new TypeError("a step of an embedded store answered later"))
        : steps.next(next.value);
  }
  return next.value;
};

const finishLater = async <T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> => {
  let answer: unknown = first;
  for (;;) {
    let settled: { readonly value: unknown } | { readonly error: unknown };
    try {
      settled = { value: await answer };
    } catch (error) {
      settled = { error };
    }
    const next = "error" in settled ? steps.throw(settled.error) : steps.next(settled.value);
    if (next.done === true) return next.value;
    answer = next.value;
  }
};

/** `then` at once where the answer is there, and later where it is not. */
export const whenDone = <T, U>(answer: Maybe<T>, then: (value: T) => U): Maybe<U> =>
  answer instanceof Promise ? answer.then(then) : then(answer);
