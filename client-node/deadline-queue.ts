import { longestWait_ms } from "./limits.ts";
import type { Question } from "./question.ts";

/**
 * The deadlines of all questions of an engine under one timer. Every question has the same time, so they come due in the order in
 * which they were asked: the queue is a list, with constant cost to add and to remove. The timer is set for the first and,
 * when it finds that one gone, set again; it does not keep the process alive (the connection does, while a question is pending).
 */
export class DeadlineQueue {
  #first: Question | null = null;
  #last: Question | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #now: () => number;
  readonly #expire: (question: Question) => void;

  constructor(now: () => number, expire: (question: Question) => void) {
    this.#now = now;
    this.#expire = expire;
  }

  add(question: Question): void {
    if (question.deadline_ms === Number.POSITIVE_INFINITY) return;
    question.earlier = this.#last;
    if (this.#last === null) this.#first = question;
    else this.#last.later = question;
    this.#last = question;
    if (this.#timer === null) this.#arm(question);
  }

  remove(question: Question): void {
    const { earlier, later } = question;
    if (earlier !== null) earlier.later = later;
    else if (this.#first === question) this.#first = later;
    if (later !== null) later.earlier = earlier;
    else if (this.#last === question) this.#last = earlier;
    question.earlier = null;
    question.later = null;
  }

  #arm(question: Question): void {
    // One millisecond more, as timers may fire early by a fraction of one.
    const left_ms = Math.min(Math.max(question.deadline_ms - this.#now(), 0) + 1, longestWait_ms);
    this.#timer = setTimeout(() => this.#fire(), left_ms);
    this.#timer.unref();
  }

  #fire(): void {
    this.#timer = null;
    const now_ms = this.#now();
    while (this.#first !== null && this.#first.deadline_ms <= now_ms) {
      const due = this.#first;
      this.remove(due);
      this.#expire(due);
    }
    // An expiry may have asked anew, and armed the timer.
    if (this.#first !== null && this.#timer === null) this.#arm(this.#first);
  }
}
