import type { Token } from "./token.ts";

/** Words that have to follow each other for a stretch of text to count as known. */
const run = 3;

/**
 * What of a text was approved, wherever it stood: each three words that follow each other. A word is new where no such run that it
 * is in was approved, so that text which was moved or split is not new, and one new word in a sentence makes its neighbours no
 * more than they were. Linear, whatever changed.
 */
export class KnownText {
  readonly #runs = new Set<string>();
  readonly #whole = new Set<string>();
  readonly words = new Set<string>();

  add(tokens: readonly Token[]): void {
    for (let at = 0; at + run <= tokens.length; at++) this.#runs.add(keyOf(tokens, at, run));
    this.#whole.add(keyOf(tokens, 0, tokens.length));
    for (const { text } of tokens) this.words.add(text);
  }

  /** 1 for each word that is new. */
  newIn(tokens: readonly Token[]): Uint8Array {
    const isNew = new Uint8Array(tokens.length).fill(1);
    if (this.#whole.has(keyOf(tokens, 0, tokens.length))) return isNew.fill(0);
    for (let at = 0; at + run <= tokens.length; at++)
      if (this.#runs.has(keyOf(tokens, at, run))) isNew.fill(0, at, at + run);
    return isNew;
  }
}

const keyOf = (tokens: readonly Token[], from: number, length: number): string => {
  let key = "";
  for (let at = from; at < from + length; at++) key += `${tokens[at]!.text}\n`;
  return key;
};
