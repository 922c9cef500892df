import { unknown } from "./word.ts";

/** Unquoted signs of a brace expansion, while a word is put together: in quotes they are letters. Unicode keeps these for such use. */
export const sign = Object.freeze({ open: "\ufdd0", comma: "\ufdd1", close: "\ufdd2", split: "\ufdd3" });
const signs = /[\ufdd0-\ufdd3]/;
export const hasSign = (text: string): boolean => signs.test(text);

const letters: Readonly<Record<string, string>> = {
  [sign.open]: "{",
  [sign.comma]: ",",
  [sign.close]: "}",
  [sign.split]: " ",
};
const plain = (text: string): string => text.replace(/[\ufdd0-\ufdd2]/g, (found) => letters[found] as string);

/** More words than this from one are not told apart. */
const maxWords = 64;

/** `{rm,-rf,/}` is three words, `a{1..3}` too. What opens no expansion stays as it is written. */
export const expandBraces = (text: string): readonly string[] => {
  if (!text.includes(sign.open)) return [plain(text)];
  const budget = { left: maxWords };
  const words = expand(text, budget);
  return budget.left < 0 ? [unknown] : words.map(plain);
};

const expand = (text: string, budget: { left: number }): readonly string[] => {
  if (budget.left < 0) return [];
  for (let open = text.indexOf(sign.open); open >= 0; open = text.indexOf(sign.open, open + 1)) {
    const group = groupAt(text, open);
    if (group === null) continue;
    const before = text.slice(0, open);
    // `${` is no expansion's beginning.
    if (before.endsWith("$")) continue;
    const inner =
      group.parts.length > 1 ? group.parts.flatMap((part) => expand(part, budget)) : rangeOf(group.parts[0] as string);
    if (inner === null) continue;
    budget.left -= inner.length;
    const after = expand(text.slice(group.end + 1), budget);
    budget.left -= inner.length * after.length - inner.length;
    if (budget.left < 0) return [];
    return inner.flatMap((middle) => after.map((rest) => before + middle + rest));
  }
  return [text];
};

/** The parts between an open brace and its own close; null where it has none. */
const groupAt = (text: string, open: number): { readonly parts: readonly string[]; readonly end: number } | null => {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const letter = text[at];
    if (letter === sign.open) depth++;
    else if (letter === sign.comma && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (letter === sign.close) {
      depth--;
      if (depth === 0) return { parts: [...parts, text.slice(from, at)], end: at };
    }
  }
  return null;
};

/** `1..5`, `a..e`, `01..10..2`; null where it is no range. */
const rangeOf = (text: string): readonly string[] | null => {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const names = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text);
  if (names !== null)
    return span((names[1] as string).charCodeAt(0), (names[2] as string).charCodeAt(0), 1).map((code) =>
      String.fromCharCode(code),
    );
  if (numbers === null) return null;
  const [from, to] = [numbers[1] as string, numbers[2] as string];
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  return span(Number(from), Number(to), Math.abs(Number(numbers[3] ?? 1)) || 1).map((value) =>
    String(value).padStart(width, "0"),
  );
};

const span = (from: number, to: number, step: number): readonly number[] => {
  const count = Math.min(Math.floor(Math.abs(to - from) / step), maxWords + 1) + 1;
  return Array.from({ length: count }, (_, at) => (from <= to ? from + at * step : from - at * step));
};
