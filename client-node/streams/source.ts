/** A stream that is read once, whatever its kind, and made anew from what was judged. */
export interface StreamSource {
  /** The next chunk, as `AsyncIterator.next` answers. Rejects with the stream's own error. */
  pull(): Promise<IteratorResult<unknown, unknown>>;
  /** Tells the source that nobody reads on. Nobody waits for it, and its errors are nobody's. */
  cancel(): void;
  /** A stream of the same kind that delivers these chunks, and then ends or fails. */
  remade(chunks: readonly unknown[], end: StreamEnd): object;
}

/** How a stream ended: by itself, or with an error of its own. */
export type StreamEnd = { readonly failed: false } | { readonly failed: true; readonly error: unknown };

/** Calls what may throw or reject, and lets go of either. */
export const letGo = (act: () => unknown): void => {
  try {
    Promise.resolve(act()).catch(() => undefined);
  } catch {}
};
