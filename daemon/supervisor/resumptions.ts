import { promiseHooks } from "node:v8";
import type { ResumptionWatch, Turn } from "../engine/watch.ts";

/**
 * Tells the watchdog at every resumption of an asynchronous rule. After an `await` a rule's code is called by the
 * engine of JavaScript and not by ours, so a loop there would run with nobody's name on it. V8 tells when a promise is
 * made, and before and after its continuations run: a promise made in a rule's turn, or from a promise of that rule,
 * is that rule's. The hooks are on only while an asynchronous rule is undecided, so nothing else pays for them.
 */
export class Resumptions implements ResumptionWatch {
  readonly #turnOf = new WeakMap<Promise<unknown>, Turn>();
  #current: Turn | null = null;
  #undecided = 0;
  #off: (() => void) | null = null;

  run<T>(turn: Turn, evaluate: () => T): T {
    this.#undecided++;
    this.#off ??= this.#on();
    const before = this.#current;
    this.#current = turn;
    try {
      return evaluate();
    } finally {
      this.#current = before;
    }
  }

  decided(): void {
    // Whoever calls this goes on from the rule's own promise: the turn that V8 began for it ends here.
    this.#current?.leave();
    this.#current = null;
    this.#undecided--;
    if (this.#undecided > 0) return;
    this.#off?.();
    this.#off = null;
  }

  #on(): () => void {
    return promiseHooks.createHook({
      init: (promise, parent) => {
        const turn = this.#current ?? this.#turnOf.get(parent);
        if (turn !== undefined) this.#turnOf.set(promise, turn);
      },
      before: (promise) => {
        const turn = this.#turnOf.get(promise);
        if (turn === undefined) return;
        this.#current = turn;
        told(() => turn.enter());
      },
      after: (promise) => {
        const turn = this.#turnOf.get(promise);
        if (turn === undefined) return;
        this.#current = null;
        told(() => turn.leave());
      },
      settled: () => undefined,
    }) as () => void;
  }
}

/** What throws in a hook ends the process; a watchdog that could not be told still sees that the loop stands still. */
const told = (tell: () => void): void => {
  try {
    tell();
  } catch {
    return;
  }
};
