import { types } from "node:util";
import { bytesOf } from "../bytes-of.ts";
import { itemsOf } from "../items-of.ts";

const { isAnyArrayBuffer, isSharedArrayBuffer } = types;

/**
 * Data that nobody changes between the question and the call. `isCopied` for calls that return before they run: nothing in JavaScript
 * keeps a caller from its own bytes, so that one copy is the price. A caller that waits can only be overtaken in memory that it
 * shares with another thread. Streams and generators are written as they come.
 */
export const heldData = (value: unknown, isCopied: boolean): unknown =>
  Array.isArray(value) ? itemsOf<unknown>(value).map((item) => heldPiece(item, isCopied)) : heldPiece(value, isCopied);

const heldPiece = (value: unknown, isCopied: boolean): unknown => {
  if (ArrayBuffer.isView(value)) {
    const bytes = bytesOf(value);
    return isCopied || isSharedArrayBuffer(bytes.buffer) ? Buffer.from(bytes) : value;
  }
  return isAnyArrayBuffer(value) && isCopied ? Buffer.from(new Uint8Array(value)) : value;
};
