import type { Buffer } from "node:buffer";
import { WireError } from "./errors.ts";

/** Integers of up to this many characters, sign included, are below 2^53. */
const safeIntegerCharacters = 15;
/** With an exponent of at most two digits, or none, a token no longer than this neither overflows (309 digits) nor underflows (323 zeros). */
const safeDecimalCharacters = 200;
const safeExponentDigits = 2;

/**
 * Refuses a number token that a double cannot keep: an integer (no fraction, no exponent) beyond 2^53-1, a magnitude that
 * overflows to infinity, or one that underflows to zero. Returns the index after the token. Its syntax is the parser's to judge.
 */
export const assertNumberToken = (bytes: Buffer, start: number): number => {
  const length = bytes.length;
  let i = start + 1;
  let fraction = false;
  /** Where its digits begin, the sign passed over; -1 where there is none. */
  let exponent = -1;
  for (; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x30 && byte <= 0x39) continue;
    if (byte === 0x2e /* . */) fraction = true;
    else if (byte === 0x65 /* e */ || byte === 0x45 /* E */) exponent = i + 1;
    else if (byte === 0x2b /* + */ || byte === 0x2d /* - */) exponent = i + 1;
    else break;
  }
  const integer = !fraction && exponent === -1;
  const safeCharacters = integer ? safeIntegerCharacters : safeDecimalCharacters;
  if (i - start <= safeCharacters && (exponent === -1 || i - exponent <= safeExponentDigits)) return i;
  const token = bytes.toString("latin1", start, i);
  const value = Number(token);
  if (Number.isNaN(value)) throw refuse("syntax error");
  if (integer) {
    if (!Number.isSafeInteger(value)) throw refuse("an integer beyond 2^53-1");
  } else if (!Number.isFinite(value)) {
    throw refuse("a number that overflows");
  } else if (value === 0 && hasNonZeroDigit(token)) {
    throw refuse("a number that underflows to zero");
  }
  return i;
};

const refuse = (what: string): WireError => new WireError("bad_request", `frame is not valid JSON: ${what}`);

/** In the digits before the exponent. */
const hasNonZeroDigit = (token: string): boolean => {
  for (let i = 0; i < token.length; i++) {
    const unit = token.charCodeAt(i);
    if (unit === 0x65 || unit === 0x45) return false;
    if (unit >= 0x31 && unit <= 0x39) return true;
  }
  return false;
};
