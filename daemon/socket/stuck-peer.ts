import { stuckPeer_ms } from "./limits.ts";

/** What is seen of a peer at one moment. */
export interface PeerView {
  /** By a clock that only rises. */
  readonly now_ms: number;
  /** It owes the rest of a frame. */
  readonly isUnfinished: boolean;
  /** It has answers to read. */
  readonly isUnread: boolean;
  /** Bytes of answers that have left so far. */
  readonly sentBytes: number;
}

/**
 * Tells who is stuck from who is slow: a peer that reads a little, or finishes a frame, starts its time anew; one that does
 * neither while it owes it is stuck once the time is up.
 */
export class StuckPeer {
  #unfinishedSince_ms: number | null = null;
  #unreadSince_ms: number | null = null;
  #sentBytes = 0;

  tookLine(): void {
    this.#unfinishedSince_ms = null;
  }

  look({ now_ms, isUnfinished, isUnread, sentBytes }: PeerView): boolean {
    this.#unfinishedSince_ms = isUnfinished ? (this.#unfinishedSince_ms ?? now_ms) : null;
    const hasRead = sentBytes !== this.#sentBytes;
    this.#sentBytes = sentBytes;
    this.#unreadSince_ms = !isUnread ? null : hasRead ? now_ms : (this.#unreadSince_ms ?? now_ms);
    return isPast(this.#unfinishedSince_ms, now_ms) || isPast(this.#unreadSince_ms, now_ms);
  }
}

const isPast = (since_ms: number | null, now_ms: number): boolean =>
  since_ms !== null && now_ms - since_ms > stuckPeer_ms;
