import { Buffer } from "node:buffer";
import { WireError } from "./errors.ts";
import { MAX_LINE } from "./limits.ts";

const newline = 0x0a;
const firstHeldBytes = 4096;

/**
 * Cuts a byte stream into lines. `push` a chunk, then take lines with `next` until it answers null; at the stream's end
 * call `end`, then `next` until null again.
 *
 * A line that lies in one chunk is a view of the chunk. The start of a line whose end has not come is copied into one buffer
 * that doubles, so each byte is searched once and copied at most twice, however slowly it drips, and a small rest does not hold on to a
 * large chunk. What is held is at most 8 MiB and what was pushed and not yet taken.
 *
 * `next` throws `WireError` with code `too_large` as soon as the line at hand is known to exceed MAX_LINE bytes with its
 * newline, or the stream ended inside it; it then throws the same for ever, as the rest of the stream has no meaning.
 */
export class FrameReader {
  readonly #overrun: string;
  #failed: WireError | null = null;
  #ended = false;
  readonly #waiting: Buffer[] = [];
  #chunk: Buffer | null = null;
  #offset = 0;
  #held: Buffer | null = null;
  #heldBytes = 0;

  constructor(reads: "requests" | "responses" = "requests") {
    this.#overrun = reads === "requests" ? "frame exceeded limit" : "response exceeded the frame limit";
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0 || this.#failed !== null) return;
    if (this.#chunk === null) this.#chunk = chunk;
    else this.#waiting.push(chunk);
  }

  /** No more bytes will come. */
  end(): void {
    this.#ended = true;
  }

  /** Bytes pushed and not yet taken as lines. */
  get unreadBytes(): number {
    let bytes = this.#heldBytes + (this.#chunk === null ? 0 : this.#chunk.length - this.#offset);
    for (const chunk of this.#waiting) bytes += chunk.length;
    return bytes;
  }

  /** The next complete line without its newline, or null where there is none yet. */
  next(): Buffer | null {
    if (this.#failed !== null) throw this.#failed;
    for (;;) {
      const chunk = this.#chunk;
      if (chunk === null) {
        if (this.#ended && this.#heldBytes > 0) this.#fail();
        return null;
      }
      const start = this.#offset;
      const found = chunk.indexOf(newline, start);
      const stop = found === -1 ? chunk.length : found;
      // Without its newline a line has room for one byte less.
      if (this.#heldBytes + stop - start >= MAX_LINE) this.#fail();
      if (found === -1 || found + 1 === chunk.length) {
        this.#chunk = this.#waiting.shift() ?? null;
        this.#offset = 0;
      } else {
        this.#offset = found + 1;
      }
      if (found === -1) this.#hold(chunk, start);
      else return this.#heldBytes === 0 ? chunk.subarray(start, found) : this.#release(chunk, start, found);
    }
  }

  #fail(): never {
    this.#failed = new WireError("too_large", this.#overrun);
    this.#held = null;
    this.#chunk = null;
    this.#waiting.length = 0;
    throw this.#failed;
  }

  #hold(chunk: Buffer, start: number, stop = chunk.length): void {
    const bytes = this.#heldBytes + stop - start;
    if (this.#held === null || this.#held.length < bytes) {
      const doubled = Math.min(MAX_LINE, 2 * (this.#held?.length ?? 0));
      // Not from Buffer's pool, which a held line would keep alive.
      const larger = Buffer.allocUnsafeSlow(Math.max(firstHeldBytes, bytes, doubled));
      this.#held?.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
    chunk.copy(this.#held, this.#heldBytes, start, stop);
    this.#heldBytes = bytes;
  }

  #release(chunk: Buffer, start: number, stop: number): Buffer {
    this.#hold(chunk, start, stop);
    const line = (this.#held as Buffer).subarray(0, this.#heldBytes);
    this.#held = null;
    this.#heldBytes = 0;
    return line;
  }
}
