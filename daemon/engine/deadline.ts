import type { DeadlineTimer } from "./watch.ts";

/** The deadline came first. */
export const expired: unique symbol = Symbol("expired");

/**
 * The promise's value, its error, or `expired` when the time left ran out first. What a late promise says is not
 * listened to, its error included.
 */
export const deadlineRace = <T>(
  promise: PromiseLike<T>,
  left_ms: number,
  timer: DeadlineTimer,
): Promise<T | typeof expired> =>
  new Promise((resolve, reject) => {
    const cancel = timer.after(Math.max(0, left_ms), () => resolve(expired));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error) => {
        cancel();
        reject(error as Error);
      },
    );
  });
