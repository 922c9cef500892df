import { isProse } from "./blobs.ts";
import type { Layer, Token } from "./layers.ts";
import { isOfRun } from "./runs.ts";

/** More lines are a file. */
const mostLines = 20_000;
const looked = 64;
const oneLine = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** What is left for the last line, which may be too short to be a token. */
const lastLine = /\r?\n([A-Za-z0-9+/_-]{1,76}={0,2})(?!\S)/y;

const isLineBreak = (text: string, from: number, to: number): boolean =>
  (to - from === 1 && text.charCodeAt(from) === 10) ||
  (to - from === 2 && text.charCodeAt(from) === 13 && text.charCodeAt(from + 1) === 10);

/**
 * base64 over several lines, as mails wrap it (RFC 2045 6.8: all lines but the last are of one length). Each line alone would be
 * read as a piece of a sentence.
 */
export const wrapped = (text: string, tokens: readonly Token[]): readonly Layer[] => {
  const layers: Layer[] = [];
  for (let at = 0; at < tokens.length; ) {
    const first = tokens[at]!;
    const length = first.end - first.start;
    let last = at;
    while (last + 1 < tokens.length && last - at < mostLines) {
      const here = tokens[last]!;
      const next = tokens[last + 1]!;
      if (here.end - here.start !== length || next.end - next.start > length) break;
      if (!isLineBreak(text, here.end, next.start)) break;
      last++;
    }
    const layer = layerOf(text, first, tokens[last]!);
    if (layer !== null) layers.push(layer);
    at = last + 1;
  }
  return layers;
};

const layerOf = (text: string, first: Token, last: Token): Layer | null => {
  if (!isOfRun(text.charCodeAt(first.start + 1)) || !isOfRun(text.charCodeAt(first.start + 2))) return null;
  const line = text.slice(first.start, Math.min(first.end, first.start + looked));
  if (!oneLine.test(line) || line.endsWith("=")) return null;
  const head = Buffer.from(line, "base64");
  if (!isProse(head.subarray(0, head.length - 2))) return null;
  lastLine.lastIndex = last.end;
  const end = last.end - last.start === first.end - first.start && lastLine.test(text) ? lastLine.lastIndex : last.end;
  if (end === first.end) return null;
  const joined = text.slice(first.start, end).replaceAll(/\r?\n/g, "");
  if (!oneLine.test(joined)) return null;
  const made = Buffer.from(joined, "base64").toString("utf8");
  return { kind: "base64", start: first.start, end, text: made, from: 0, to: made.length };
};
