import type { Maybe } from "../store/steps.ts";

/** Whatever fails on the way to an answer is answered: at once, or later. */
export const orFailed = <T>(ask: () => Maybe<T>, then: (answer: T) => void, failed: (error: unknown) => void): void => {
  let answer: Maybe<T>;
  try {
    answer = ask();
  } catch (error) {
    failed(error);
    return;
  }
  if (answer instanceof Promise) answer.then(then, failed);
  else then(answer);
};
