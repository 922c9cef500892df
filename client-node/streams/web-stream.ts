import { inFormOf, type Part } from "./chunk.ts";
import { letGo, type StreamEnd, type StreamSource } from "./source.ts";

export const isWebStream = (value: object): value is ReadableStream => value instanceof ReadableStream;

/** A ReadableStream of the web's; one of bytes stays one. @throws TypeError somebody else reads it already */
export const webSource = (stream: ReadableStream): StreamSource => {
  const isOfBytes = readsBytes(stream);
  const reader = stream.getReader();
  return {
    pull: async () => (await reader.read()) as IteratorResult<unknown, unknown>,
    cancel: () => letGo(() => reader.cancel()),
    remade: (chunks, end) => (isOfBytes ? byteStream(chunks as readonly Part[], end) : webStream(chunks, end)),
  };
};

/** Only a stream of bytes has a reader that brings a buffer of its own. */
const readsBytes = (stream: ReadableStream): boolean => {
  if (stream.locked) return false;
  try {
    stream.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
};

/** Each chunk when it is asked for: an error would discard what waits. */
const noneAhead = { highWaterMark: 0 };

const webStream = (chunks: readonly unknown[], end: StreamEnd): ReadableStream => {
  const left = chunks.values();
  return new ReadableStream(
    {
      pull: (controller) => {
        const next = left.next();
        if (next.done !== true) controller.enqueue(next.value);
        else if (end.failed) controller.error(end.error);
        else controller.close();
      },
    },
    noneAhead,
  );
};

/** A queue of bytes takes the memory of what it is given. */
const ownMemory = new Uint8Array();

const byteStream = (chunks: readonly Part[], end: StreamEnd): ReadableStream => {
  const left = chunks.filter(({ length }) => length > 0).values();
  return new ReadableStream(
    {
      type: "bytes",
      pull: (controller) => {
        const next = left.next();
        if (next.done !== true) controller.enqueue(inFormOf(ownMemory, next.value) as Uint8Array<ArrayBuffer>);
        else if (end.failed) controller.error(end.error);
        else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
    },
    noneAhead,
  );
};
