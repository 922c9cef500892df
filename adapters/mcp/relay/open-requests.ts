import { maxCancelledIds, maxOpenRequests } from "./limits.ts";
import { keyOf, type RequestId } from "./message.ts";

/**
 * The requests of one side that have no answer yet. Each is answered once: an answer to none of them, or a second one, has nobody
 * who waits for it.
 */
export class OpenRequests<T> {
  readonly #open = new Map<string, T>();
  readonly #cancelled = new Set<string>();

  get size(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= maxOpenRequests;
  }

  has(id: RequestId): boolean {
    return this.#open.has(keyOf(id));
  }

  get(id: RequestId): T | undefined {
    return this.#open.get(keyOf(id));
  }

  add(id: RequestId, entry: T): void {
    this.#open.set(keyOf(id), entry);
  }

  /** Takes it out: whoever asked has its answer, or wants none. */
  take(id: RequestId): T | undefined {
    const key = keyOf(id);
    const entry = this.#open.get(key);
    this.#open.delete(key);
    return entry;
  }

  /** Taken out, but the other side may answer all the same. */
  cancel(id: RequestId): T | undefined {
    const entry = this.take(id);
    if (entry === undefined) return undefined;
    this.#cancelled.add(keyOf(id));
    if (this.#cancelled.size > maxCancelledIds) {
      const [oldest] = this.#cancelled;
      this.#cancelled.delete(oldest as string);
    }
    return entry;
  }

  /** Was it cancelled before? Asked once. */
  wasCancelled(id: RequestId): boolean {
    return this.#cancelled.delete(keyOf(id));
  }

  values(): readonly T[] {
    return [...this.#open.values()];
  }

  clear(): void {
    this.#open.clear();
  }
}
