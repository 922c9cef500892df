/** Time that passes when it is told to: timers by a clock that only rises, and a time of day that may go back. */
export class SimTime {
  #elapsed_ms = 0;
  #offset_ms: number;
  #due: { readonly at_ms: number; readonly run: () => void }[] = [];

  constructor(start_ms: number) {
    this.#offset_ms = start_ms;
  }

  now_ms(): number {
    return this.#offset_ms + this.#elapsed_ms;
  }

  elapsed_ms(): number {
    return this.#elapsed_ms;
  }

  setBack(by_ms: number): void {
    this.#offset_ms -= by_ms;
  }

  after(delay_ms: number, run: () => void): () => void {
    const entry = { at_ms: this.#elapsed_ms + delay_ms, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  sleep(delay_ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(delay_ms, resolve));
  }

  pass(by_ms: number): void {
    this.#elapsed_ms += by_ms;
    const due = this.#due.filter(({ at_ms }) => at_ms <= this.#elapsed_ms).sort((a, b) => a.at_ms - b.at_ms);
    this.#due = this.#due.filter((entry) => !due.includes(entry));
    for (const { run } of due) run();
  }

  /** Whoever waited is gone: an engine that ended does not go on later. */
  forget(): void {
    this.#due = [];
  }
}
