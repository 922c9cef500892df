/**
 * Finds where one of many literals stands, in one pass that looks at each pair of characters: an alternation of a hundred literals
 * tries most of them at each place. Literals are ASCII and have two characters or more.
 */
export class Scout {
  /** 1 where a pair of ASCII characters stands in a literal as the pair that is looked for. */
  readonly #isMark = new Uint8Array(128 * 128);
  readonly #byMark = new Map<number, { readonly literal: string; readonly offset: number }[]>();
  readonly #reach: number;

  constructor(literals: readonly string[]) {
    let reach = 0;
    for (const literal of literals) {
      const offset = rarestPair(literal);
      const mark = pair(literal.charCodeAt(offset), literal.charCodeAt(offset + 1));
      this.#isMark[mark] = 1;
      this.#byMark.set(mark, [...(this.#byMark.get(mark) ?? []), { literal, offset }]);
      reach = Math.max(reach, offset);
    }
    this.#reach = reach;
  }

  /** A place from which on no more than some twenty characters lie before the first literal at or behind `from`; -1 where there is none. */
  near(text: string, from: number): number {
    const { length } = text;
    const isMark = this.#isMark;
    let before = from < length ? text.charCodeAt(from) : 0;
    for (let at = from + 1; at < length; at++) {
      const code = text.charCodeAt(at);
      if ((before | code) < 128 && isMark[(before << 7) | code] === 1 && this.#isLiteral(text, at - 1, from))
        return Math.max(from, at - 1 - this.#reach);
      before = code;
    }
    return -1;
  }

  #isLiteral(text: string, at: number, from: number): boolean {
    for (const { literal, offset } of this.#byMark.get(pair(text.charCodeAt(at), text.charCodeAt(at + 1))) ?? [])
      if (at - offset >= from && text.startsWith(literal, at - offset)) return true;
    return false;
  }
}

const pair = (first: number, second: number): number => (first << 7) | second;

/** Letters as often as English and programs have them. */
const letters = "etaoinsrlhdcumpfgybwvkxjqz";

const rarity = (code: number): number => {
  const rank = letters.indexOf(String.fromCharCode(code));
  if (rank >= 0) return rank;
  return code >= 48 && code <= 57 ? 24 : 26;
};

const rarestPair = (literal: string): number => {
  let best = 0;
  for (let at = 1; at + 1 < literal.length; at++) if (rarityAt(literal, at) > rarityAt(literal, best)) best = at;
  return best;
};

const rarityAt = (literal: string, at: number): number =>
  rarity(literal.charCodeAt(at)) + rarity(literal.charCodeAt(at + 1));
