import type { AskedQuestion } from "./asked-question.ts";

/** Another daemon tells of an end at its own pace: whoever waits looks again this often. */
const lookAgain_ms = 250;
/** And later by this for each that waits: a thousand looks a second at the most, however many wait. */
const pace_ms = 1;

/**
 * Calls that wait for the first of their kind. One is woken when that call ends, and at the latest when its own time is
 * over; then it is judged again from the start, by the rules of that moment.
 */
export class WaitingDuplicates {
  /** False once the daemon stops: no result that would end a wait is taken any more. */
  isOpen = true;
  #size = 0;
  readonly #waiting = new Map<string, Set<() => void>>();

  get size(): number {
    return this.#size;
  }

  /** @param left_ms how long it may wait still. */
  wait(
    transaction_id: string,
    left_ms: number,
    question: AskedQuestion,
    again: (question: AskedQuestion) => void,
  ): void {
    const waiting = this.#waiting.get(transaction_id) ?? new Set();
    this.#waiting.set(transaction_id, waiting);
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      this.#size--;
      if (waiting.size === 0 && this.#waiting.get(transaction_id) === waiting) this.#waiting.delete(transaction_id);
      again(question);
    };
    const lookIn_ms = this.isOpen ? Math.min(left_ms, lookAgain_ms + this.#size * pace_ms) : 0;
    const timer = setTimeout(wake, Math.max(0, lookIn_ms));
    waiting.add(wake);
    this.#size++;
  }

  /** The daemon stops: whoever waits is judged once more, and answered. */
  close(): void {
    this.isOpen = false;
    this.ended(null);
  }

  /** The call of this transaction has ended; without one, any may have. */
  ended(transaction_id: string | null): void {
    const ended = transaction_id === null ? [...this.#waiting.values()] : [this.#waiting.get(transaction_id)];
    for (const waiting of ended) for (const wake of [...(waiting ?? [])]) wake();
  }
}
