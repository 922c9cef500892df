import { maxMessageBytes } from "../relay/limits.ts";
import type { RequestId } from "../relay/message.ts";
import { OversizedId } from "./oversized-id.ts";

/** A line without its newline, or what is known of one that was too long. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Buffer }
  | { readonly kind: "oversized"; readonly id: RequestId | null; readonly bytes: number };

const newline = 0x0a;

/**
 * Cuts a byte stream into lines. Of a line of more than 16 MiB the rest is read and let go, so that one long message ends neither the
 * session nor the memory.
 */
export class LineReader {
  #held: Buffer[] = [];
  #heldBytes = 0;
  #oversized: OversizedId | null = null;

  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.#take(piece);
      if (end === -1) return;
      yield this.#line();
      start = end + 1;
    }
  }

  /** What a last line without a newline is: null where there is none. */
  end(): Line | null {
    return this.#heldBytes === 0 ? null : this.#line();
  }

  #take(piece: Buffer): void {
    this.#heldBytes += piece.length;
    if (this.#oversized !== null) this.#oversized.push(piece);
    else if (this.#heldBytes < maxMessageBytes) {
      if (piece.length > 0) this.#held.push(piece);
    } else {
      this.#oversized = new OversizedId();
      for (const held of this.#held) this.#oversized.push(held);
      this.#oversized.push(piece);
      this.#held = [];
    }
  }

  #line(): Line {
    const bytes = this.#heldBytes;
    const oversized = this.#oversized;
    const [only] = this.#held;
    const whole = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#oversized = null;
    return oversized === null ? { kind: "line", bytes: whole } : { kind: "oversized", id: oversized.id, bytes };
  }
}
