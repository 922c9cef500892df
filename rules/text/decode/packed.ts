import { gunzipSync, inflateSync, constants as zlib } from "node:zlib";

/** Text that bytes hold in another form than UTF-8: UTF-16 of either order, as PowerShell writes it, and gzip or zlib around either. */

/** What is packed tighter than this is a bomb: its beginning is read. */
const maxUnpackedBytes = 1024 * 1024;
/** DEFLATE makes no more than 1,032 bytes of one. */
const safePackedBytes = Math.floor(maxUnpackedBytes / 1032);
const looked = 32;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
/** RFC 1950 2.2: 32 KB of window, and two bytes that 31 divides. */
const isZlib = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x78 && bytes.length > 2 && (0x7800 + (bytes[1] as number)) % 31 === 0;

/** The first megabyte of what gzip or zlib packed; null where they packed nothing. What was cut off is read as far as it goes. */
export const unpacked = (bytes: Uint8Array): Buffer | null => {
  const inflate = isGzip(bytes) ? gunzipSync : isZlib(bytes) ? inflateSync : null;
  if (inflate === null) return null;
  for (const piece of [bytes, bytes.subarray(0, safePackedBytes)])
    try {
      return inflate(piece, { maxOutputLength: maxUnpackedBytes, finishFlush: zlib.Z_SYNC_FLUSH });
    } catch {
      // More than a megabyte: its beginning. Or nothing that was packed.
    }
  return null;
};

/** Bytes as UTF-16, by their mark or because every other byte of their beginning is zero; null where they are not. */
export const wideText = (bytes: Buffer): string | null => {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return bytes.subarray(2).toString("utf16le");
  if (mark === 0xfeff) return bigEndian(bytes.subarray(2));
  if (hasZeros(bytes, 1)) return bytes.toString("utf16le");
  return hasZeros(bytes, 0) ? bigEndian(bytes) : null;
};

const bigEndian = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString("utf16le");

/** Zeros at the even or at the odd places, and nowhere else. */
const hasZeros = (bytes: Buffer, odd: 0 | 1): boolean => {
  if (bytes.length < 16) return false;
  for (let at = 0; at < Math.min(looked, bytes.length & ~1); at++)
    if ((bytes[at] === 0) !== ((at & 1) === odd)) return false;
  return true;
};
