import { Buffer } from "node:buffer";

/**
 * Encodings of the points of small order, in every form that verifiers read (RFC 7748, section 7 warns of them): for such a "key"
 * anybody can make signatures that hold, so none is ever believed. The top bit of the last byte is a sign and is left out here.
 */
const weak = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]);

export const isWeakKey = (raw: Uint8Array): boolean => {
  const unsigned = Buffer.from(raw);
  unsigned[31]! &= 0x7f;
  return weak.has(unsigned.toString("hex"));
};
