import { resendLease_ms } from "../../wire/limits.ts";
import { type Maybe, whenDone } from "../store/steps.ts";
import type { KeptRow, ReceiptStore } from "../store/store.ts";
import type { DecisionRecord } from "./record.ts";
import type { Sealer } from "./sealing.ts";

/** A longer answer is not kept: sealing costs about 11 microseconds a KiB, and every other caller waits for it. */
export const maxKeptAnswerLength = 1024 * 1024;
/** What all kept answers may take on disk. Beyond it none is kept until a sweep has made room. */
export const maxKeptBytes = 256 * 1024 * 1024;

/**
 * Answers that can be asked for again, sealed, for the time of the lease. The receipt says that its answer is to be
 * kept (`kept`), so one that is not there, for whatever reason, is known to be missing and is never taken for an
 * answer without a rewrite.
 */
export class KeptAnswers {
  readonly #store: ReceiptStore;
  readonly #sealer: Sealer;
  #bytes: number;

  /** @param bytes what those that are kept already take together. */
  constructor(store: ReceiptStore, sealer: Sealer, bytes: number) {
    this.#store = store;
    this.#sealer = sealer;
    this.#bytes = bytes;
  }

  /** What to store beside receipt `seq`; null where there is nothing to keep, or no room. */
  seal(seq: number, { keep, time_ms }: DecisionRecord): KeptRow | null {
    if (keep === null || keep.length > maxKeptAnswerLength || this.#bytes > maxKeptBytes) return null;
    const box = this.#sealer.seal(this.#place(seq), keep);
    this.#bytes += box.length;
    return { expires_ms: time_ms + resendLease_ms, box };
  }

  /** The answer that was kept beside receipt `seq`; null where it is not there or does not open. Throws StoreFailed. */
  open(seq: number): Maybe<string | null> {
    return whenDone(this.#store.findKept(seq), (kept) =>
      kept === null ? null : this.#sealer.open(this.#place(seq), kept.box),
    );
  }

  /** Deletes what expired; returns how many. Throws StoreFailed. */
  sweep(now_ms: number): Maybe<number> {
    return whenDone(this.#store.deleteKept(now_ms, resendLease_ms), (deleted) =>
      whenDone(this.#store.keptBytes(), (bytes) => {
        this.#bytes = bytes;
        return deleted;
      }),
    ) as Maybe<number>;
  }

  #place(seq: number): string {
    return `${this.#store.chain}:${seq}`;
  }
}
