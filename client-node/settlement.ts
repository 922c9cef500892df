import { Verdict } from "../wire/verdict.ts";
import { BlockedError } from "./blocked-error.ts";
import type { DeadlineQueue } from "./deadline-queue.ts";
import { Decision } from "./decision.ts";
import type { Tally } from "./engine-stats.ts";
import type { Question } from "./question.ts";
import type { WaitingLine } from "./waiting-line.ts";

/** The one place where a question gets its answer, and counts as open no longer. A question that has one keeps it. */
export class Settlement {
  readonly #tally: Tally;
  readonly #line: WaitingLine;
  readonly #deadlines: DeadlineQueue;
  readonly #idle: () => void;
  #unsettled = 0;

  constructor(tally: Tally, line: WaitingLine, deadlines: DeadlineQueue, idle: () => void) {
    this.#tally = tally;
    this.#line = line;
    this.#deadlines = deadlines;
    this.#idle = idle;
  }

  get unsettled(): number {
    return this.#unsettled;
  }

  /** One more question is open. Answers how many are. */
  opened(): number {
    return ++this.#unsettled;
  }

  /** The daemon's word. */
  decide(question: Question, decision: Decision): void {
    if (!this.#settle(question)) return;
    this.#count(question, decision);
    question.resolve(decision);
  }

  /** There is no verdict: the call must not run. */
  block(question: Question, reason: string): void {
    this.refuse(question, Decision.block(reason));
  }

  /** The same, with a decision that says more. */
  refuse(question: Question, decision: Decision): void {
    if (!this.#settle(question)) return;
    if (question.subject === "outcome") this.#tally.unreported++;
    else if (question.subject !== "offline") this.#tally.unanswered++;
    question.reject(new BlockedError(decision, question.action));
  }

  /** There is no daemon: what the caller said by name that is done then, or what the fallback policy says. */
  fallBack(question: Question, decision: Decision): void {
    if (!this.#settle(question)) return;
    this.#tally.fallbacks++;
    question.resolve(decision);
  }

  #count({ subject }: Question, { verdict, details }: Decision): void {
    if (subject === "offline") return;
    if (subject !== "outcome") {
      this.#tally.answered++;
      if (details?.replayed === true) this.#tally.replayed++;
    } else if (verdict === Verdict.ALLOW) this.#tally.reported++;
    else this.#tally.unreported++;
  }

  #settle(question: Question): boolean {
    const { state } = question;
    if (state === "settled") return false;
    question.state = "settled";
    if (state === "waiting") this.#line.settled(question);
    this.#deadlines.remove(question);
    question.frame = "";
    if (--this.#unsettled === 0) this.#idle();
    return true;
  }
}
