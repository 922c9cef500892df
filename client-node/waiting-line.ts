import { maxWaitingChars, maxWaitingQuestions } from "./limits.ts";
import type { Question } from "./question.ts";

/** The questions that no connection has, first come first asked. Settled ones are passed over. */
export class WaitingLine {
  #questions: Question[] = [];
  #first = 0;
  #count = 0;
  #chars = 0;

  /** How many wait. */
  get size(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= maxWaitingQuestions || this.#chars >= maxWaitingChars;
  }

  push(question: Question): void {
    question.state = "waiting";
    this.#questions.push(question);
    this.#count++;
    this.#chars += question.frame.length;
  }

  /** Puts questions that were asked before in front of those that were not. */
  putBack(questions: readonly Question[]): void {
    if (questions.length === 0) return;
    const rest = this.#questions.slice(this.#first);
    this.#questions = [...questions, ...rest];
    this.#first = 0;
    for (const question of questions) {
      question.state = "waiting";
      this.#count++;
      this.#chars += question.frame.length;
    }
  }

  /** The first that waits, which then waits no longer; null where none does. */
  shift(): Question | null {
    this.#passOverSettled();
    const question = this.#questions[this.#first];
    if (question === undefined) return null;
    this.#first++;
    question.state = "taken";
    this.#account(question);
    return question;
  }

  /** Accounts for a question that was settled where it stood. */
  settled(question: Question): void {
    this.#account(question);
    this.#passOverSettled();
  }

  #account(question: Question): void {
    this.#count--;
    this.#chars -= question.frame.length;
  }

  /** Deadlines pass in the order of the line, so that what is settled lies in front. */
  #passOverSettled(): void {
    while (this.#questions[this.#first]?.state === "settled") this.#first++;
    if (this.#count === 0) {
      if (this.#questions.length > 0) this.#questions = [];
      this.#first = 0;
    } else if (this.#first >= compactAt && this.#first * 2 >= this.#questions.length) {
      this.#questions = this.#questions.slice(this.#first);
      this.#first = 0;
    }
  }
}

const compactAt = 1024;
