import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";

/** Characters before the `@` of an address, RFC 5321. */
const maxLocalCharacters = 64;
const domain = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])/y;

/** Mail addresses. Found at their `@`, so that no pattern runs over the text. */
export const mailAddressesIn = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  let before = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    const least = Math.max(before, at - maxLocalCharacters);
    while (start > least && isLocal(text.charCodeAt(start - 1))) start--;
    while (start < at && text.charCodeAt(start) === 46) start++;
    before = at + 1;
    if (start === at) continue;
    domain.lastIndex = at + 1;
    const host = domain.exec(text)?.[0];
    // `git@github.com:owner/name` and `pkg@1.2.3` are no addresses of people.
    if (host === undefined || isRemote(text, start, at + 1 + host.length)) continue;
    before = at + 1 + host.length;
    spans.push({ class: "email", start, end: before, confidence: 0.95, encodings: [] });
  }
  return spans;
};

const isRemote = (text: string, start: number, end: number): boolean =>
  (text.startsWith("git@", start) && /[:/]/.test(text[end] ?? "")) || text.startsWith("://", start - 3);

const isLocal = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 46 ||
  code === 95 ||
  code === 43 ||
  code === 45 ||
  code === 37 ||
  code === 39;

/** What a person writes as a telephone number: with a plus, or in groups. Ten digits in a row are a time or an order. */
const written =
  /(?<![0-9A-Za-z.+/=_-])(?:\+[1-9](?:[ .()-]{0,2}[0-9]){6,14}|(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4})(?![0-9A-Za-z]|[.-][0-9])/g;
const digitsInRow = /(?<![0-9A-Za-z.+/=_-])[2-9][0-9]{9}(?![0-9A-Za-z]|[.-][0-9])/g;
const context = /phone|\btel\b|mobile|\bcell\b|\bcall\b|\bfax\b|whatsapp|telefon|\bsms\b/i;

export type IsPhone = (number: string) => boolean;

/** Telephone numbers, as `isPhone` (libphonenumber's plan of numbers) has them. */
export const phonesIn = (text: string, name: string, isPhone: IsPhone): readonly Span[] => {
  const spans: Span[] = [];
  for (const { start, end, text: number } of hitsOf(written, text))
    if (isPhone(number)) spans.push({ class: "phone", start, end, confidence: 0.9, encodings: [] });
  if (!context.test(name) && !context.test(text)) return spans;
  for (const { start, end, text: number } of hitsOf(digitsInRow, text))
    if ((context.test(name) || context.test(text.slice(Math.max(0, start - 40), start))) && isPhone(number))
      spans.push({ class: "phone", start, end, confidence: 0.85, encodings: [] });
  return spans;
};

/** Whether a text could hold a telephone number at all: libphonenumber takes 14 ms to load. */
export const mayHoldPhones = (text: string): boolean => {
  written.lastIndex = 0;
  digitsInRow.lastIndex = 0;
  return written.test(text) || (digitsInRow.test(text) && context.test(text));
};
