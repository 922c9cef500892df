/** So many bytes may be at work at once; who wants more waits. One that wants more than all of them has them alone. */
export class ByteBudget {
  readonly #all: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bytes: number) {
    this.#all = bytes;
  }

  /** Null where there is room at once. */
  take(bytes: number): Promise<void> | null {
    if (this.#fits(bytes) && this.#waiting.length === 0) {
      this.#taken += bytes;
      return null;
    }
    return this.#wait(bytes);
  }

  give(bytes: number): void {
    this.#taken -= bytes;
    this.#waiting.shift()?.();
  }

  async #wait(bytes: number): Promise<void> {
    do await new Promise<void>((resolve) => this.#waiting.push(resolve));
    while (!this.#fits(bytes));
    this.#taken += bytes;
    // What is left may do for the next one too.
    this.#waiting.shift()?.();
  }

  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#all;
  }
}
