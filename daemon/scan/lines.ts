import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import type { Material } from "./material.ts";

/** From 1, as editors count; columns in UTF-16 units. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Larger JSON is scanned all the same; only where in the file its places are is not told. */
const maxMappedCharacters = 1_000_000;

/** Where in the file the offset `at` of the text at a place is. Null where that is not known. */
export type LineOf = (place: string, at: number) => LineColumn | null;

export const linesOf = ({ kind, source }: Material): LineOf => {
  if (kind === "text") {
    const starts = lineStarts(source);
    return (_place, at) => lineAt(starts, at);
  }
  if (source.length > maxMappedCharacters) return () => null;
  // Read again only where something was found. A text of JSON is one line with escapes: its beginning is what can be told.
  let known: ReadonlyMap<string, LineColumn> | null = null;
  return (place) => {
    known ??= mapped(source);
    return known.get(place) ?? null;
  };
};

const mapped = (source: string): ReadonlyMap<string, LineColumn> => {
  const counter = new LineCounter();
  const known = new Map<string, LineColumn>();
  note(parseDocument(source, { lineCounter: counter, uniqueKeys: false }).contents, "", known, counter);
  return known;
};

const lineStarts = (source: string): readonly number[] => {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
};

const lineAt = (starts: readonly number[], at: number): LineColumn => {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: at - (starts[low] as number) + 1 };
};

/** Places are named as rules/scan/texts.ts names them. */
const note = (node: ParsedNode | null, place: string, known: Map<string, LineColumn>, counter: LineCounter): void => {
  if (node === null) return;
  const { line, col } = counter.linePos(node.range[0]);
  known.set(place, { line, column: col });
  if (isSeq(node))
    for (const [index, item] of node.items.entries()) note(item as ParsedNode, `${place}[${index}]`, known, counter);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    note(value as ParsedNode | null, place === "" ? name : `${place}.${name}`, known, counter);
  }
};
