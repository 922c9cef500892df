import { promiseHooks } from "node:v8";

/** How the watchdog is told of one rule's turn for one question. */
export interface Turn {
  enter(): void;
  leave(): void;
}

/**
 * Tells the watchdog at every resumption of an asynchronous rule. After an `await` a rule's code is called by the
 * engine of JavaScript and not by ours, so a loop there would run with nobody's name on it. V8 tells when a promise is
 * made, and before and after its continuations run: a promise made in a rule's turn, or from a promise of that rule,
 * is that rule's. The hooks are on only while an asynchronous rule is undecided, so nothing else pays for them.
 */
export class Resumptions {
  readonly #turnOf = new WeakMap<Promise<unknown>, Turn>();
  #current: Turn | null = null;
  #undecided = 0;
  #off: (() => void) | null = null;

  /** Runs a rule's synchronous part. Every call is followed by one `decided`, once the rule's promise is settled or given up. */
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
        turn.enter();
      },
      after: (promise) => {
        const turn = this.#turnOf.get(promise);
        if (turn === undefined) return;
        this.#current = null;
        turn.leave();
      },
      settled: () => undefined,
    }) as () => void;
  }
}

const known = new WeakSet<object>();

/** A rule was seen to go on after it had returned, such as in one of its examples. */
export const learnAsynchronous = (evaluate: object): void => void known.add(evaluate);

/** Is this a rule that goes on after it has returned? An async function is known for one; any other is learned to be. */
export const isAsynchronous = (evaluate: object): boolean =>
  known.has(evaluate) || (evaluate as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === "AsyncFunction";
