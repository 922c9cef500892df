/**
 * Words by what they mean. A lexicon is a trie over letters and digits, so that a text is read once, letter by letter, whatever
 * the number of words: most words of a text leave the trie after three letters.
 */

/** Ways in which a word can be disguised so that it still is one word. */
export const disguises = ["plain", "rot13", "reversed"] as const;
export type Disguise = (typeof disguises)[number];

export const separator = 0;
const star = 42;
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

/** Concepts are numbered from 0; each takes a bit of three numbers. */
export const mostConcepts = 96;
/** Numbers of a meaning: three of concepts, then 1 where it is foreign. */
export const perMeaning = 4;

/** Two bytes a node: the smaller the tables, the more of them the processor keeps at hand. */
const mostNodes = 65_535;
const mostMeanings = 65_535;

/** How large the tables are made at first: one that never grows is never copied. */
export interface Room {
  readonly nodes: number;
  readonly meanings: number;
}

/** The first numbers of a table that is full, in one of twice the length. */
const grown = <Table extends Int32Array | Uint16Array | Uint8Array>(table: Table, made: Table): Table => {
  made.set(table);
  return made;
};

export class Lexicon {
  /** Child of `node` for a class: `next[node * classes + class]`, 0 where there is none. Node 0 is the root. */
  next: Uint16Array;
  /** The meaning of the word that ends at a node, 0 where none does. */
  value: Uint16Array;
  /** Meanings, the one of no word included. */
  meanings = 1;
  /** Concepts of a meaning as bits, by the disguise in which its word was met: `masks.plain[meaning * perMeaning + ...]`. */
  readonly masks: Record<Disguise, Int32Array>;
  /** Letters beyond ASCII that occur, numbered. */
  readonly #wideOf = new Map<number, number>();
  /** Children for them: by node * 4096 + number. */
  readonly #wide = new Map<number, number>();
  /** The stem that a node lies behind; 0 where none. */
  #stemOf: Uint16Array;
  #parents: Uint16Array;
  /** 1 where a class follows a node. */
  #isInner: Uint8Array;
  #nodes = 1;
  readonly #stems: number[] = [];

  constructor({ nodes, meanings }: Room) {
    this.next = new Uint16Array(classes * nodes);
    this.value = new Uint16Array(nodes);
    this.#stemOf = new Uint16Array(nodes);
    this.#parents = new Uint16Array(nodes);
    this.#isInner = new Uint8Array(nodes);
    const none = (): Int32Array => new Int32Array(perMeaning * meanings);
    this.masks = { plain: none(), rot13: none(), reversed: none() };
  }

  /**
   * A word; one that ends in `*` stands for all that begin so. `isForeign`: of a language whose imperatives are not told from other
   * forms by their place; a meaning is foreign where all its words are.
   */
  add(word: string, concept: number, disguise: Disguise = "plain", isForeign = false): void {
    const isStem = word.charCodeAt(word.length - 1) === star;
    const length = isStem ? word.length - 1 : word.length;
    let node = 0;
    for (let at = 0; at < length; at++) node = this.#child(node, word.charCodeAt(at));
    let meaning = this.value[node]!;
    if (meaning === 0) meaning = this.value[node] = this.#addMeaning(isForeign);
    this.#mean(meaning, concept, disguise);
    if (!isForeign) this.masks.plain[meaning * perMeaning + 3] = 0;
    if (isStem) this.#stems.push(node);
  }

  /** A meaning at which no word ends: what is no word by its letters. It is the same in every disguise. */
  addShape(concept: number): number {
    const meaning = this.#addMeaning(false);
    for (const disguise of disguises) this.#mean(meaning, concept, disguise);
    return meaning;
  }

  /** After the last word: whatever leaves the trie behind a stem goes back to it, unless it is another word. */
  close(): this {
    const { next, value } = this;
    const stemOf = this.#stemOf;
    for (const stem of this.#stems) stemOf[stem] = stem;
    // A node is numbered after the one that it follows, so that what that one learnt is known.
    for (let node = 1; node < this.#nodes; node++) {
      if (stemOf[node] === 0) stemOf[node] = stemOf[this.#parents[node]!]!;
      const stem = stemOf[node]!;
      if (stem === 0) continue;
      if (value[node] === 0) value[node] = value[stem]!;
      const row = node * classes;
      if (this.#isInner[node] === 0) next.fill(stem, row + 1, row + classes);
      else for (let kind = 1; kind < classes; kind++) if (next[row + kind] === 0) next[row + kind] = stem;
    }
    return this;
  }

  step(node: number, code: number): number {
    if (code < 128) {
      const kind = classOf[code]!;
      return kind === separator ? 0 : this.next[node * classes + kind]!;
    }
    const wide = this.#wideOf.get(code);
    if (wide === undefined) return this.#stemOf[node]!;
    return this.#wide.get(node * 4096 + wide) ?? this.#stemOf[node]!;
  }

  #mean(meaning: number, concept: number, disguise: Disguise): void {
    const masks = this.masks[disguise];
    const at = meaning * perMeaning + (concept >> 5);
    masks[at] = masks[at]! | (1 << (concept & 31));
  }

  #addMeaning(isForeign: boolean): number {
    const meaning = this.meanings++;
    if (meaning >= mostMeanings) throw new RangeError("the lexicon has too many meanings");
    if (this.masks.plain.length <= meaning * perMeaning)
      for (const disguise of disguises) {
        const masks = this.masks[disguise];
        this.masks[disguise] = grown(masks, new Int32Array(masks.length * 2));
      }
    this.masks.plain[meaning * perMeaning + 3] = isForeign ? 1 : 0;
    return meaning;
  }

  #child(node: number, code: number): number {
    const known = this.step(node, code);
    if (known !== 0) return known;
    const made = this.#nodes++;
    if (made >= this.value.length) this.#grow();
    this.#parents[made] = node;
    if (code < 128) {
      this.next[node * classes + classOf[code]!] = made;
      this.#isInner[node] = 1;
    } else this.#wide.set(node * 4096 + this.#numberOf(code), made);
    return made;
  }

  #numberOf(code: number): number {
    let wide = this.#wideOf.get(code);
    if (wide === undefined) {
      wide = this.#wideOf.size + 1;
      this.#wideOf.set(code, wide);
    }
    return wide;
  }

  #grow(): void {
    const nodes = Math.min(this.value.length * 2, mostNodes);
    if (nodes === this.value.length) throw new RangeError("the lexicon has too many words");
    this.next = grown(this.next, new Uint16Array(classes * nodes));
    this.value = grown(this.value, new Uint16Array(nodes));
    this.#stemOf = grown(this.#stemOf, new Uint16Array(nodes));
    this.#parents = grown(this.#parents, new Uint16Array(nodes));
    this.#isInner = grown(this.#isInner, new Uint8Array(nodes));
  }
}
