import { WireError } from "./errors.ts";

/** Integers of up to this many characters, sign included, are below 2^53. */
const safeIntegerCharacters = 15;

/**
 * Refuses a number token that a double cannot keep: an integer (no fraction, no exponent) beyond 2^53-1, a magnitude that
 * overflows to infinity, or one that underflows to zero. Returns the index after the token. Its syntax is the parser's to judge.
 */
export const assertNumberToken = (text: string, start: number): number => {
  const length = text.length;
  let i = start + 1;
  let integer = true;
  for (; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) continue;
    if (unit === 0x2e /* . */ || unit === 0x65 /* e */ || unit === 0x45 /* E */) integer = false;
    else if (unit !== 0x2b /* + */ && unit !== 0x2d /* - */) break;
  }
  if (integer && i - start <= safeIntegerCharacters) return i;
  const token = text.slice(start, i);
  const value = Number(token);
  if (Number.isNaN(value)) throw refuse("syntax error in a number");
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
