import { iterableSource } from "./iterable.ts";
import { isNodeStream, nodeSource } from "./node-stream.ts";
import type { StreamSource } from "./source.ts";
import { isWebStream, webSource } from "./web-stream.ts";

/** Is a result delivered piece by piece? Lists, texts, bytes, maps and sync iterables are not: they are there whole. */
export const isStream = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  (isWebStream(value) || typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function");

/** Begins to read a stream. @throws what the stream throws, such as a TypeError where somebody else reads it already */
export const openStream = (stream: object): StreamSource => {
  if (isWebStream(stream)) return webSource(stream);
  if (isNodeStream(stream)) return nodeSource(stream);
  return iterableSource(stream as AsyncIterable<unknown>);
};
