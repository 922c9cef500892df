import type { Maybe } from "../store/steps.ts";

/**
 * One writer of a chain at a time: each receipt names the one before it, so two transactions that began at the same head
 * would fork it. On an embedded store everybody's turn is over when it returns, and nobody waits.
 */
export class Turns {
  /** The last one that was given out, if it is not over. */
  #last: Promise<unknown> | null = null;

  take<T>(work: () => Maybe<T>): Maybe<T> {
    const before = this.#last;
    const done = before === null ? work() : before.then(work, work);
    if (!(done instanceof Promise)) return done;
    this.#last = done;
    const over = (): void => {
      if (this.#last === done) this.#last = null;
    };
    done.then(over, over);
    return done;
  }
}
