import type { AskedQuestion } from "./asked-question.ts";

/** Another daemon tells of an end at its own pace: whoever waits looks again this often. */
const lookAgain_ms = 250;

/**
 * Calls that wait for the first of their kind. One is woken when that call ends, and at the latest when its own time is
 * over; then it is judged again from the start, by the rules of that moment.
 */
export class WaitingDuplicates {
  readonly #waiting = new Map<string, Set<() => void>>();

  get size(): number {
    let size = 0;
    for (const { size: of } of this.#waiting.values()) size += of;
    return size;
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
      if (waiting.size === 0 && this.#waiting.get(transaction_id) === waiting) this.#waiting.delete(transaction_id);
      again(question);
    };
    const timer = setTimeout(wake, Math.max(0, Math.min(left_ms, lookAgain_ms)));
    waiting.add(wake);
  }

  /** The call of this transaction has ended; without one, any may have. */
  ended(transaction_id: string | null): void {
    const ended = transaction_id === null ? [...this.#waiting.values()] : [this.#waiting.get(transaction_id)];
    for (const waiting of ended) for (const wake of [...(waiting ?? [])]) wake();
  }
}
