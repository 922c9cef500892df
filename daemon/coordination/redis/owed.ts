import { goneFor_ms, maxOwed, tellAgain_ms } from "./limits.ts";

/** What Redis has to be told of one transaction. */
export interface Owed {
  readonly outcome: "released" | "executed" | "unknown";
  /** Sealed; empty where there is none. */
  readonly result: string;
  /** Nobody knows whether its claim was taken, and a command may still be under way: its id is given up. */
  readonly givenUp: boolean;
}

export interface Ear {
  listens(): boolean;
  /** Runs the script that ends a transaction. Rejects where that was not heard. */
  hear(args: readonly string[]): Promise<unknown>;
}

/** Tells outcomes until they were heard, the newest of each transaction, in order. */
export class OwedOutcomes {
  readonly #owed = new Map<string, Owed>();
  readonly #ear: Ear;
  #givenUp = 0;
  #again: NodeJS.Timeout | null = null;
  #onEmpty: (() => void) | null = null;

  constructor(ear: Ear) {
    this.#ear = ear;
  }

  /** Is one of them of a call that was blocked because Redis did not answer? */
  get doubtful(): boolean {
    return this.#givenUp > 0;
  }

  add(transaction_id: string, owed: Owed): void {
    const before = this.#owed.get(transaction_id);
    this.#remove(transaction_id);
    if (this.#owed.size >= maxOwed) this.#remove(this.#owed.keys().next().value as string);
    const whole = before?.givenUp === true ? { ...owed, givenUp: true } : owed;
    this.#owed.set(transaction_id, whole);
    if (whole.givenUp) this.#givenUp++;
    this.#send(transaction_id, whole);
  }

  /** Tells everything again. */
  tellAll(): void {
    for (const [transaction_id, owed] of this.#owed) this.#send(transaction_id, owed);
  }

  /** Resolves once everything was heard, or after `wait_ms`. */
  settled(wait_ms: number): Promise<void> {
    if (this.#owed.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait_ms);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  stop(): void {
    if (this.#again !== null) clearTimeout(this.#again);
    this.#owed.clear();
    this.#givenUp = 0;
  }

  #send(transaction_id: string, owed: Owed): void {
    const { outcome, result, givenUp } = owed;
    // It is told once Redis is back.
    if (!this.#ear.listens()) return;
    this.#ear.hear([transaction_id, outcome, result, String(givenUp ? goneFor_ms : 0)]).then(
      () => {
        if (this.#owed.get(transaction_id) === owed) this.#remove(transaction_id);
        if (this.#owed.size === 0) this.#onEmpty?.();
      },
      () => this.#tellAgain(),
    );
  }

  #tellAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = null;
      this.tellAll();
    }, tellAgain_ms).unref();
  }

  #remove(transaction_id: string): void {
    const owed = this.#owed.get(transaction_id);
    if (owed === undefined) return;
    this.#owed.delete(transaction_id);
    if (owed.givenUp) this.#givenUp--;
  }
}
