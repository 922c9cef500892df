import { Readable } from "node:stream";
import { chunksThenEnd, iterableSource } from "./iterable.ts";
import { letGo, type StreamSource } from "./source.ts";

export const isNodeStream = (value: object): value is Readable => value instanceof Readable;

/** A Readable of Node's; of a Duplex the side that is read. */
export const nodeSource = (stream: Readable): StreamSource => {
  const { readableObjectMode: objectMode, readableEncoding: encoding } = stream;
  return {
    pull: iterableSource(stream).pull,
    cancel: () => letGo(() => stream.destroy()),
    // Not more than one chunk ahead: an error would discard what nobody has read yet.
    remade: (chunks, end) =>
      Readable.from(chunksThenEnd(objectMode ? chunks : chunks.filter(isNotEmpty), end), {
        objectMode,
        highWaterMark: 1,
        // Chunks of a stream with an encoding are texts in it already.
        ...(encoding === null ? {} : { encoding, defaultEncoding: encoding }),
      }),
  };
};

/** Node takes an empty chunk of bytes for a pause. */
const isNotEmpty = (chunk: unknown): boolean => (chunk as string | Uint8Array).length > 0;
