import { isolated, type Sign } from "./signs.ts";

/** One line of a column: what is shown, how wide it is, and where below it something is marked; "" where nothing is. */
export interface Row {
  readonly text: string;
  readonly width: number;
  readonly marks: string;
}

/** Signs in lines of at most `width` columns, ended at blanks where there are some. */
export const rowsOf = (signs: readonly Sign[], width: number): readonly Row[] => {
  const rows: Row[] = [];
  for (let from = 0; from < signs.length; ) {
    const to = endOf(signs, from, width);
    rows.push(rowOf(signs.slice(from, to)));
    from = to;
  }
  return rows.length === 0 ? [rowOf([])] : rows;
};

const endOf = (signs: readonly Sign[], from: number, width: number): number => {
  let used = 0;
  let blank = from;
  for (let at = from; at < signs.length; at++) {
    const sign = signs[at] as Sign;
    if (used + sign.width > width && at > from) return blank > from && used > width / 2 ? blank : at;
    used += sign.width;
    if (sign.endsLine) return at + 1;
    if (sign.text === " ") blank = at + 1;
  }
  return signs.length;
};

const rowOf = (signs: readonly Sign[]): Row => {
  const width = signs.reduce((sum, sign) => sum + sign.width, 0);
  const marks = signs.map((sign) => (sign.isMarked ? "^" : " ").repeat(sign.width)).join("");
  return { text: isolated(signs.map(({ text }) => text).join("")), width, marks: marks.trimEnd() };
};
