/** The value codec: how arguments and results travel in JSON. */
export { decodeValue } from "./decode-value.ts";
export { type CodecOptions, encodeValue, v1Codec } from "./encode-value.ts";
