/**
 * Matches what a command printed with what a document shows. In a shown line `<placeholder>` stands for any text that is
 * not empty and `...` for any text; a line that is only `...` stands for any number of lines. The rest is literal.
 */
type Piece = { readonly literal: string } | { readonly atLeast: 0 | 1 };

const placeholderEnd = (line: string, at: number): number => {
  const end = line.indexOf(">", at);
  if (end === -1) return -1;
  const name = line.slice(at + 1, end);
  return /^[a-z][a-z0-9 _-]*$/.test(name) ? end + 1 : -1;
};

const piecesOf = (line: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let literal = "";
  const wildcard = (atLeast: 0 | 1): void => {
    pieces.push({ literal }, { atLeast });
    literal = "";
  };
  for (let at = 0; at < line.length; ) {
    const end = line[at] === "<" ? placeholderEnd(line, at) : -1;
    if (end !== -1) {
      wildcard(1);
      at = end;
    } else if (line.startsWith("...", at)) {
      wildcard(0);
      at += 3;
    } else {
      literal += line[at];
      at += 1;
    }
  }
  pieces.push({ literal });
  return pieces;
};

/** Whether one printed line is what the shown line describes. */
export const lineMatches = (shown: string, printed: string): boolean => {
  const pieces = piecesOf(shown);
  // reach[n]: the pieces so far can cover the first n characters.
  let reach = new Set<number>([0]);
  for (const piece of pieces) {
    const next = new Set<number>();
    if ("literal" in piece) {
      for (const at of reach) if (printed.startsWith(piece.literal, at)) next.add(at + piece.literal.length);
    } else {
      const first = Math.min(...reach);
      for (let at = first + piece.atLeast; at <= printed.length; at += 1) next.add(at);
    }
    if (next.size === 0) return false;
    reach = next;
  }
  return reach.has(printed.length);
};

/** Whether the printed lines are what the shown lines describe, from the first to the last. */
export const outputMatches = (shown: readonly string[], printed: readonly string[]): boolean => {
  let reach = new Set<number>([0]);
  for (const line of shown) {
    const next = new Set<number>();
    if (line.trim() === "...") {
      const first = Math.min(...reach);
      for (let at = first; at <= printed.length; at += 1) next.add(at);
    } else {
      for (const at of reach) {
        const candidate = printed[at];
        if (candidate !== undefined && lineMatches(line.trimEnd(), candidate.trimEnd())) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reach = next;
  }
  return reach.has(printed.length);
};

/** Printed text as lines, without empty ones at its ends. */
export const printedLines = (text: string): readonly string[] => {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
};
