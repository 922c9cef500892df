import { hitsOf } from "../../scan/hits.ts";
import type { Encoding, Span } from "../../scan/span.ts";

/** Twelve to nineteen digits with single spaces or dashes between them. The next character is no digit, and none that makes it a number with a fraction. */
const digits = /(?<![0-9A-Za-z._+-])[2-6][0-9]{3}(?:[ -]?[0-9]{2,7}){2,5}(?![0-9A-Za-z_]|[.-][0-9])/g;

/** First digits and lengths, of ISO/IEC 7812 as the issuers publish them. */
const issuers: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^220[0-4]/, [16, 17, 18, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:30[0-5]|36|38|39)/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[37])/, [12, 13, 14, 15, 16, 17, 18, 19]],
];

const context =
  /card|\bcc\b|credit|debit|visa|master|amex|american express|\bpan\b|cvv|cvc|payment|karte|carte|tarjeta/i;
/** `12/28` or a check number behind it. */
const expiry = /^["',;|\t ]{1,6}(?:0[1-9]|1[0-2])[/-](?:20)?[0-9]{2}\b|^[^\n]{0,24}(?:cvv|cvc|exp)/i;
const contextCharacters = 512;

/**
 * Numbers of payment cards: an issuer's first digits, its length, and the check digit. One number in ten has a right check digit, so
 * sixteen digits in a row (a time, an order) are a card only where something beside them says so; in groups of four they are.
 */
export const cardsIn = (text: string, name: string, encodings: readonly Encoding[] = []): readonly Span[] => {
  // Nobody hides a letter between the digits of an order.
  const isHidden = encodings.includes("folded");
  const spans: Span[] = [];
  for (const { start, end, text: written } of hitsOf(digits, text)) {
    const number = written.replace(/[ -]/g, "");
    if (!isCard(number)) continue;
    const isSpoken =
      isHidden ||
      context.test(name) ||
      context.test(text.slice(Math.max(0, start - contextCharacters), start)) ||
      expiry.test(text.slice(end, end + 40));
    if (!isSpoken && !isGrouped(written)) continue;
    spans.push({ class: "credit_card", start, end, confidence: isSpoken ? 0.97 : 0.92, encodings: [] });
  }
  return spans;
};

const isGrouped = (written: string): boolean =>
  /^[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}$|^[0-9]{4}([ -])[0-9]{6}\2[0-9]{5}$/.test(written);

export const isCard = (number: string): boolean =>
  issuers.some(([first, lengths]) => first.test(number) && lengths.includes(number.length)) &&
  !/^(.)\1+$/.test(number) &&
  hasCheckDigit(number);

/** Luhn, of ISO/IEC 7812-1 annex B. */
const hasCheckDigit = (number: string): boolean => {
  let sum = 0;
  for (let at = 0; at < number.length; at++) {
    const digit = number.charCodeAt(number.length - 1 - at) - 48;
    const weighed = at % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
};
