/** A text made of another one, and where in that other one each part of it stands. */
export interface Mapped {
  readonly text: string;
  /** The stretch of the original that `start` to `end` was made of. */
  origin(start: number, end: number): { readonly start: number; readonly end: number };
}

/** The text itself. */
export const unchanged = (text: string): Mapped => ({ text, origin: (start, end) => ({ start, end }) });

/** `inner` was made of the text of `outer`. */
export const through = (outer: Mapped, inner: Mapped): Mapped => ({
  text: inner.text,
  origin: (start, end) => {
    const middle = inner.origin(start, end);
    return outer.origin(middle.start, middle.end);
  },
});

/** Makes a text of pieces of another, in their order. */
export class MappedText {
  readonly #original: string;
  readonly #parts: string[] = [];
  /** Three numbers a piece: where it begins, where it is from, where that ends. */
  readonly #pieces: number[] = [];
  #length = 0;
  #isAligned = false;

  constructor(original: string) {
    this.#original = original;
  }

  copy(from: number, to: number): void {
    if (to > from) this.put(this.#original.slice(from, to), from, to);
  }

  /** `text` stands where the original has `from` to `to`. */
  put(text: string, from: number, to: number): void {
    if (text === "") return;
    this.#parts.push(text);
    // Letter for letter, a piece goes on.
    const isAligned = text.length === to - from;
    if (!isAligned || !this.#isAligned || from !== this.#pieces.at(-1)) this.#pieces.push(this.#length, from, to);
    else this.#pieces[this.#pieces.length - 1] = to;
    this.#isAligned = isAligned;
    this.#length += text.length;
  }

  done(): Mapped {
    const text = this.#parts.join("");
    const pieces = this.#pieces;
    const count = pieces.length / 3;
    const pieceAt = (place: number): number => {
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (pieces[middle * 3]! <= place) low = middle;
        else high = middle - 1;
      }
      return low;
    };
    const at = (place: number, isEnd: boolean): number => {
      if (count === 0) return 0;
      const piece = pieceAt(isEnd ? place - 1 : place);
      const [begins, from, to] = [pieces[piece * 3]!, pieces[piece * 3 + 1]!, pieces[piece * 3 + 2]!];
      const next = piece + 1 < count ? pieces[piece * 3 + 3]! : text.length;
      // A piece of another length was made as a whole.
      if (next - begins !== to - from) return isEnd ? to : from;
      return from + (place - begins);
    };
    return { text, origin: (start, end) => ({ start: at(start, false), end: at(Math.max(end, start + 1), true) }) };
  }
}
