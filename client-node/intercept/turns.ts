import { maxInFlightRequests } from "../../wire/limits.ts";
import { maxWaitingChars, maxWaitingQuestions } from "../limits.ts";
import { longestShownData_bytes } from "./argument-view.ts";

/** Twice what a connection carries: it never waits for the next one. */
const mostAskedAtOnce = 2 * maxInFlightRequests;

interface Waiting {
  readonly start: () => void;
  next: Waiting | null;
}

/**
 * Node takes any number of calls at once, an engine does not: it refuses what is more than its line holds. So calls are put to it
 * in turn, first come first asked; what waits here is the program's own call, and the time that a verdict may take has not begun.
 */
export class Turns {
  #free = mostAskedAtOnce;
  #first: Waiting | null = null;
  #last: Waiting | null = null;

  /** Null where the call may be put at once. Each turn is given back by `end`. */
  begin(): Promise<void> | null {
    if (this.#free > 0) {
      this.#free--;
      return null;
    }
    return new Promise((start) => {
      const waiting: Waiting = { start, next: null };
      if (this.#last === null) this.#first = waiting;
      else this.#last.next = waiting;
      this.#last = waiting;
    });
  }

  /** The turn goes to the one that has waited longest. */
  end(): void {
    const waiting = this.#first;
    if (waiting === null) {
      this.#free++;
      return;
    }
    this.#first = waiting.next;
    if (this.#first === null) this.#last = null;
    waiting.start();
  }
}

/** Base64, and room for paths and names. */
const longestFrame_chars = (longestShownData_bytes * 4) / 3 + 16 * 1024;

if (mostAskedAtOnce >= maxWaitingQuestions || mostAskedAtOnce * longestFrame_chars >= maxWaitingChars) {
  throw new Error("turns: what is asked at once must fit an engine's line");
}
