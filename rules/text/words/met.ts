const empty = new Int32Array(0);
const firstNumbers = 7 * 256;

/** A table costs more than to read a short text. */
let spare: Int32Array | null = null;

const table = (): Int32Array => {
  const made = spare ?? new Int32Array(firstNumbers);
  spare = null;
  return made;
};

/** Words of a lexicon that were met in a text, in order, kept in columns: a text of 10 MB holds half a million of them. */
export class MetWords {
  /** Seven numbers a word. Most texts have none that is known. */
  #rows: Int32Array = empty;
  count = 0;

  push(
    meaning: number,
    start: number,
    end: number,
    word: number,
    sentence: number,
    marks: number,
    around: number,
  ): void {
    let at = this.count * 7;
    if (at === this.#rows.length) {
      const rows = at === 0 ? table() : new Int32Array(at * 2);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const rows = this.#rows;
    rows[at++] = meaning;
    rows[at++] = start;
    rows[at++] = end;
    rows[at++] = word;
    rows[at++] = sentence;
    rows[at++] = marks;
    rows[at] = around;
    this.count++;
  }

  /** Nobody asks any more: the next text that is read gets the table. */
  close(): void {
    if (this.#rows.length === firstNumbers) spare = this.#rows;
    this.#rows = empty;
    this.count = 0;
  }

  /** Which meaning it has. */
  meaning(row: number): number {
    return this.#rows[row * 7]!;
  }
  start(row: number): number {
    return this.#rows[row * 7 + 1]!;
  }
  end(row: number): number {
    return this.#rows[row * 7 + 2]!;
  }
  /** How many words, known or not, stand before it; where there are no spaces an estimate by letters. */
  word(row: number): number {
    return this.#rows[row * 7 + 3]!;
  }
  /** Sentences that ended before it. */
  sentence(row: number): number {
    return this.#rows[row * 7 + 4]!;
  }
  /** `inCommand`, `inCapitals`, `behindDot`, `beforeColon`. */
  marks(row: number): number {
    return this.#rows[row * 7 + 5]!;
  }
  /** What else tells it from others: 1 where signs stand for letters. */
  kind(row: number): number {
    return this.#rows[row * 7 + 6]!;
  }

  take(from: MetWords, row: number): void {
    this.push(
      from.meaning(row),
      from.start(row),
      from.end(row),
      from.word(row),
      from.sentence(row),
      from.marks(row),
      from.kind(row),
    );
  }

  /** The rows for which `isWanted`. */
  filter(isWanted: (row: number) => boolean): MetWords {
    const kept = new MetWords();
    for (let row = 0; row < this.count; row++) if (isWanted(row)) kept.take(this, row);
    return kept;
  }

  reversed(): MetWords {
    const turned = new MetWords();
    for (let row = this.count - 1; row >= 0; row--) turned.take(this, row);
    return turned;
  }
}

/** It stands where a command stands: at the beginning, or behind "and", "please", "must". */
export const inCommand = 1;
export const inCapitals = 2;
export const behindDot = 4;
/** A colon or a closing bracket follows. */
export const beforeColon = 8;
