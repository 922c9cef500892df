import type { Text } from "../../scan/texts.ts";
import { type Suspicion, suspicionsOf } from "./score.ts";
import type { Signal } from "./signal.ts";
import { wordsSource } from "./words-source.ts";

/** What is suspicious only once texts that follow each other are read as one, by the text that it touches. */
export type AcrossTexts = ReadonlyMap<Text, Suspicion>;

/** Members that hold what is read in order: the contents of a result, turns, pieces of a stream. */
const readInOrder: ReadonlySet<string> = new Set(["text", "content", "chunk", "delta"]);

/** How texts are put together: with a line break between any two, or with nothing where letters meet, for a word that was cut in two. */
type Joint = "apart" | "grown";

const separatorsOf = (row: readonly Text[], joint: Joint): readonly string[] =>
  row.map(({ text }, index) => {
    const last = text.slice(-1);
    const next = row[index + 1]?.text.slice(0, 1) ?? "";
    // Two line breaks would end a thought.
    if (last === "\n" || next === "\n") return "";
    return joint === "grown" && isLetter.test(last) && isLetter.test(next) ? "" : "\n";
  });

const isLetter = /[\p{L}\p{N}]/u;

/**
 * Texts of one list are read by a model as one: "Ignore all previous" in one content of a result and "instructions" in the next. Only
 * what goes over a border is looked for; the rest each text has shown by itself.
 */
export const acrossTexts = (texts: readonly Text[], action: string, from: number): AcrossTexts => {
  const found = new Map<Text, Suspicion>();
  for (const row of rowsOf(texts))
    for (const joint of ["apart", "grown"] as const) {
      const separators = separatorsOf(row, joint);
      if (joint === "grown" && !separators.includes("")) continue;
      for (const { text, suspicion } of overBorders(row, separators, action, from)) {
        const before = found.get(text);
        if (before === undefined || before.score < suspicion.score) found.set(text, suspicion);
      }
    }
  return found;
};

/** Texts that stand at the same place of one list's items, where there are two or more. */
const rowsOf = (texts: readonly Text[]): readonly (readonly Text[])[] => {
  const rows = new Map<string, Text[]>();
  for (const text of texts) {
    const { place, kind, name } = text;
    const close = place.lastIndexOf("]");
    if (kind !== "value" || close < 0) continue;
    if (close < place.length - 1 && !readInOrder.has(name)) continue;
    const key = `${place.slice(0, place.lastIndexOf("[", close))} ${place.slice(close + 1)}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [text]);
    else row.push(text);
  }
  return [...rows.values()].filter((row) => row.length > 1);
};

interface Touched {
  readonly text: Text;
  readonly suspicion: Suspicion;
}

const overBorders = (
  row: readonly Text[],
  separators: readonly string[],
  action: string,
  from: number,
): readonly Touched[] => {
  const starts: number[] = [];
  let joined = "";
  for (const [index, { text }] of row.entries()) {
    starts.push(joined.length);
    joined += text + separators[index];
  }
  const signals = wordsSource.signals({ text: joined, action, place: "", name: "" });
  const isOver = ({ start, end }: Signal): boolean => textAt(starts, start) !== textAt(starts, end - 1);
  return suspicionsOf(signals.filter(isOver))
    .filter(({ score }) => score >= from)
    .flatMap((suspicion) => {
      const touched: Touched[] = [];
      for (let index = textAt(starts, suspicion.start); index <= textAt(starts, suspicion.end - 1); index++) {
        const text = row[index] as Text;
        const begin = starts[index] as number;
        const start = Math.max(0, suspicion.start - begin);
        const end = Math.min(text.text.length, suspicion.end - begin);
        touched.push({ text, suspicion: { ...suspicion, start, end } });
      }
      return touched;
    });
};

/** Which text a place in the joined one belongs to. `starts` is in order. */
const textAt = (starts: readonly number[], place: number): number => {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return low;
};
