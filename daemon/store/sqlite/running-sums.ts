/** So many counters are remembered; then all are forgotten and summed anew as they are asked for. */
const maxCounters = 10_000;
/** After so many changes a sum is made anew: what rounding has added up to by then is less than any amount. */
const maxChanges = 1_000;

interface RunningSum {
  readonly since_ms: number;
  readonly sum: number;
  readonly changes: number;
}

/** Sums of rows of one counter, read from the database. */
export interface Sums {
  /** Of the rows later than `since_ms`. */
  readonly later: (counter: string, since_ms: number) => number;
  /** Of the rows later than `since_ms` up to `until_ms`. */
  readonly between: (counter: string, since_ms: number, until_ms: number) => number;
}

/**
 * What was spent on a counter within a window that moves: the last sum less what has left the window, so that a counter
 * of 100,000 rows costs no more than one of ten. The database is the truth: whoever rolls back, or deletes rows that are
 * not told here, says `forget`.
 */
export class RunningSums {
  readonly #sums: Sums;
  readonly #known = new Map<string, RunningSum>();

  constructor(sums: Sums) {
    this.#sums = sums;
  }

  spent(counter: string, since_ms: number): number {
    const known = this.#known.get(counter);
    // A window that reaches further back than the last one did, by a clock or by another rule, is summed anew.
    if (known === undefined || known.since_ms > since_ms || known.changes >= maxChanges) {
      return this.#remember(counter, { since_ms, sum: this.#sums.later(counter, since_ms), changes: 0 });
    }
    const left = known.since_ms === since_ms ? 0 : this.#sums.between(counter, known.since_ms, since_ms);
    return this.#remember(counter, { since_ms, sum: known.sum - left, changes: known.changes + 1 });
  }

  /** `amount` is negative where it was given back. */
  add(counter: string, at_ms: number, amount: number): void {
    const known = this.#known.get(counter);
    if (known === undefined || at_ms <= known.since_ms) return;
    this.#remember(counter, { ...known, sum: known.sum + amount, changes: known.changes + 1 });
  }

  forget(): void {
    this.#known.clear();
  }

  #remember(counter: string, running: RunningSum): number {
    if (this.#known.size >= maxCounters && !this.#known.has(counter)) this.forget();
    this.#known.set(counter, running);
    return running.sum;
  }
}
