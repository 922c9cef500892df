import { maxInFlightRequests } from "../wire/limits.ts";
import { maxOverdueAnswers } from "./limits.ts";
import type { Question } from "./question.ts";

/**
 * Which answers a connection may still bring: those of questions asked on it, and those of questions that ran out of time.
 * An id is good for one answer, and an answer to no id in here is an anomaly.
 */
export class PendingAnswers {
  readonly #asked = new Map<string, Question>();
  readonly #overdue = new Map<string, Question>();

  /** Answers that somebody waits for. */
  get size(): number {
    return this.#asked.size;
  }

  /** Is any answer, late ones included, still to come? */
  get isOwedNothing(): boolean {
    return this.#asked.size === 0 && this.#overdue.size === 0;
  }

  /** The daemon still works on overdue questions, so they count. */
  hasRoom(maxAsked: number): boolean {
    return this.#asked.size + this.#overdue.size < Math.min(maxAsked, maxInFlightRequests);
  }

  add(question: Question): void {
    this.#asked.set(question.id, question);
  }

  /** The question that an answer belongs to, settled where nobody waits for it any more; null for an id that is owed none. */
  take(id: string): Question | null {
    const from = this.#asked.has(id) ? this.#asked : this.#overdue;
    const question = from.get(id) ?? null;
    from.delete(id);
    return question;
  }

  /** The question ran out of time. False where too many did: the peer is not answering, and its connection is of no use. */
  expire(question: Question): boolean {
    this.#asked.delete(question.id);
    this.#overdue.set(question.id, question);
    return this.#overdue.size <= maxOverdueAnswers;
  }

  /** The only question asked; null where there is none or more than one. */
  only(): Question | null {
    if (this.#asked.size !== 1) return null;
    for (const question of this.#asked.values()) return question;
    return null;
  }

  /** All questions asked, in the order in which they were asked, which are then no longer pending. */
  drain(): Question[] {
    const questions = [...this.#asked.values()];
    this.#asked.clear();
    this.#overdue.clear();
    return questions;
  }
}
