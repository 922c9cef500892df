import type { BridgeAnswer } from "./sync-messages.ts";

/** A timer can be set no further ahead. */
const longestTimer_ms = 0x7fff_ffff;

interface Pending {
  readonly settle: (answer: BridgeAnswer) => void;
  readonly timer: NodeJS.Timeout;
}

export const refusalOf = (number: number, refusal: string): BridgeAnswer => ({
  number,
  refusal,
  decision: null,
  replaces_args: false,
  isFallback: false,
  replays: false,
});

/** Questions that a caller who goes on has put to the bridge's thread. Each keeps the process alive until it is settled, once. */
export class PendingQuestions {
  readonly #pending = new Map<number, Pending>();

  get size(): number {
    return this.#pending.size;
  }

  /** Settled with `late` where no answer comes in time; null waits for ever. */
  add(number: number, timeout_ms: number | null, late: () => string): Promise<BridgeAnswer> {
    return new Promise((settle) => {
      const giveUp = (): void => void this.settle(refusalOf(number, late()));
      const timer = timeout_ms === null ? setTimeout(() => undefined, longestTimer_ms) : setTimeout(giveUp, timeout_ms);
      this.#pending.set(number, { settle, timer });
    });
  }

  /** What nobody waits for any more is passed over. */
  settle(answer: BridgeAnswer): void {
    const pending = this.#pending.get(answer.number);
    if (pending === undefined) return;
    this.#pending.delete(answer.number);
    clearTimeout(pending.timer);
    pending.settle(answer);
  }

  refuseAll(refusal: string): void {
    for (const number of [...this.#pending.keys()]) this.settle(refusalOf(number, refusal));
  }
}
