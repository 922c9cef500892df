/**
 * Words by what they mean. A lexicon is a trie over letters and digits, so that a text is read once, letter by letter, whatever
 * the number of words: most words of a text leave the trie after three letters.
 */

/** Ways in which a word can be disguised so that it still is one word. */
export type Disguise = "plain" | "rot13" | "reversed";

/** What one word of the lexicon stands for, by the disguise in which it was met. */
export interface Meaning {
  readonly plain: readonly number[];
  readonly rot13: readonly number[];
  readonly reversed: readonly number[];
  /** Of a language whose imperatives are not told from other forms by their place. */
  readonly isForeign: boolean;
}

interface OpenMeaning {
  plain: number[];
  rot13: number[];
  reversed: number[];
  isForeign: boolean;
}

export const separator = 0;
/** Letters 1 to 26, digits 27 to 36, `_` 37, `@` 38, `$` 39; 40 and more is not ASCII. */
export const classes = 40;
export const classOf: Uint8Array = (() => {
  const table = new Uint8Array(128);
  for (let letter = 0; letter < 26; letter++) {
    table[97 + letter] = 1 + letter;
    table[65 + letter] = 1 + letter;
  }
  for (let digit = 0; digit < 10; digit++) table[48 + digit] = 27 + digit;
  table[95] = 37;
  table[64] = 38;
  table[36] = 39;
  return table;
})();

/** Digits and signs that stand for letters; `i` and `l` are one, as `1` is written for both. */
const folded = "oizeasgtbg";

/** The letter that a sign stands for in leetspeak, as a class; 0 for what stands for none. */
export const foldOf: Uint8Array = (() => {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const kind = classOf[code]!;
    table[code] = kind >= 1 && kind <= 26 ? kind : 0;
  }
  for (const [digit, letter] of [...folded].entries()) table[48 + digit] = classOf[letter.charCodeAt(0)]!;
  table[64] = 1;
  table[36] = classOf[115]!;
  table[33] = classOf[105]!;
  table[124] = classOf[105]!;
  for (const letter of [76, 108]) table[letter] = classOf[105]!;
  return table;
})();

/** Two bytes a node: the smaller the tables, the more of them the processor keeps at hand. */
const mostNodes = 65_536;

export class Lexicon {
  /** Child of `node` for a class: `next[node * classes + class]`, 0 where there is none. Node 0 is the root. */
  next: Uint16Array = new Uint16Array(classes * 4096);
  /** Index into `meanings`, 0 where no word ends. */
  value: Uint16Array = new Uint16Array(4096);
  /** Letters beyond ASCII that occur, numbered; 0 for the others. */
  readonly #wideOf = new Uint16Array(0x1_0000);
  #wides = 0;
  /** Children for them: by node * 4096 + number. */
  readonly #wide = new Map<number, number>();
  /** The stem that a node lies behind; 0 where none. */
  #stemOf = new Int32Array(4096);
  readonly #parents: number[] = [0];
  readonly meanings: Meaning[] = [{ plain: [], rot13: [], reversed: [], isForeign: false }];
  #nodes = 1;
  readonly #stems: number[] = [];

  /** A word; one that ends in `*` stands for all that begin so. */
  add(word: string, concept: number, disguise: Disguise = "plain", isForeign = false): void {
    const isStem = word.endsWith("*");
    let node = 0;
    for (const letter of isStem ? word.slice(0, -1) : word) node = this.#child(node, letter.codePointAt(0)!);
    if (this.value[node] === 0) {
      this.value[node] = this.meanings.length;
      this.meanings.push({ plain: [], rot13: [], reversed: [], isForeign });
    }
    const meaning = this.meanings[this.value[node]!] as OpenMeaning;
    meaning[disguise].push(concept);
    if (!isForeign) meaning.isForeign = false;
    if (isStem) this.#stems.push(node);
  }

  /** After the last word: whatever leaves the trie behind a stem goes back to it, unless it is another word. */
  close(): this {
    for (const stem of this.#stems) this.#stemOf[stem] = stem;
    // A node is numbered after the one that it follows, so that what that one learnt is known.
    for (let node = 1; node < this.#nodes; node++) {
      if (this.#stemOf[node] === 0) this.#stemOf[node] = this.#stemOf[this.#parents[node]!]!;
      const stem = this.#stemOf[node]!;
      if (stem === 0) continue;
      if (this.value[node] === 0) this.value[node] = this.value[stem]!;
      for (let kind = 1; kind < classes; kind++)
        if (this.next[node * classes + kind] === 0) this.next[node * classes + kind] = stem;
    }
    return this;
  }

  step(node: number, code: number): number {
    if (code < 128) {
      const kind = classOf[code]!;
      return kind === separator ? 0 : this.next[node * classes + kind]!;
    }
    const wide = code < 0x1_0000 ? this.#wideOf[code]! : 0;
    if (wide === 0) return this.#stemOf[node]!;
    return this.#wide.get(node * 4096 + wide) ?? this.#stemOf[node]!;
  }

  #child(node: number, code: number): number {
    const known = this.step(node, code);
    if (known !== 0) return known;
    const made = this.#nodes++;
    if (made >= this.value.length) this.#grow();
    this.#parents.push(node);
    if (code < 128) this.next[node * classes + classOf[code]!] = made;
    else {
      if (this.#wideOf[code] === 0) this.#wideOf[code] = ++this.#wides;
      this.#wide.set(node * 4096 + this.#wideOf[code]!, made);
    }
    return made;
  }

  #grow(): void {
    if (this.value.length >= mostNodes) throw new RangeError("the lexicon has too many words");
    const next = new Uint16Array(this.next.length * 2);
    next.set(this.next);
    this.next = next;
    const value = new Uint16Array(this.value.length * 2);
    value.set(this.value);
    this.value = value;
    const stemOf = new Int32Array(this.#stemOf.length * 2);
    stemOf.set(this.#stemOf);
    this.#stemOf = stemOf;
  }
}
