import { letGo, type StreamEnd, type StreamSource } from "./source.ts";

/** An async generator, or any object with `Symbol.asyncIterator`. What a generator returns at its end is no chunk, and is not delivered. */
export const iterableSource = (iterable: AsyncIterable<unknown>): StreamSource => {
  const iterator = iterable[Symbol.asyncIterator]();
  return {
    pull: async () => iterator.next(),
    cancel: () => letGo(() => iterator.return?.()),
    remade: chunksThenEnd,
  };
};

export async function* chunksThenEnd(chunks: readonly unknown[], end: StreamEnd): AsyncGenerator<unknown, void> {
  yield* chunks;
  if (end.failed) throw end.error;
}
