import type { Layer } from "./layers.ts";

/** Six numbers in a row: rare in prose, and cheap to ask for. */
const hint = /[0-9]{2,3}(?:, ?| )[0-9]{2,3}(?:, ?| )[0-9]{2,3}(?:, ?| )[0-9]{2,3}(?:, ?| )[0-9]{2,3}(?:, ?| )[0-9]/;
const row = /(?<![0-9.])[0-9]{2,3}(?:(?:, ?| )[0-9]{2,3}){15,4000}(?![0-9.])/g;

const isOfText = (code: number): boolean => (code >= 32 && code < 127) || code === 10 || code === 13;

/** `103,104,112,95`: sixteen codes of characters and more, as `charCodeAt` tells them. Numbers that are no characters are numbers. */
export const codes = (text: string): readonly Layer[] =>
  hint.test(text)
    ? Array.from(text.matchAll(row)).flatMap(({ 0: found, index: start }) => {
        const numbers = found.split(/[ ,]+/).map(Number);
        if (!numbers.every(isOfText)) return [];
        const made = String.fromCharCode(...numbers);
        return [{ kind: "codes" as const, start, end: start + found.length, text: made, from: 0, to: made.length }];
      })
    : [];
