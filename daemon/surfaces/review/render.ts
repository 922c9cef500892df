import type { ChangedPlace } from "./places.ts";
import { type Row, rowsOf } from "./rows.ts";
import { type Sign, shownText, signsOf } from "./signs.ts";
import { markWords } from "./words.ts";

/** Under so many columns, and where nobody watches, one side stands below the other. */
const leastSideBySide = 100;
const unifiedWidth = 96;
/** Signs beside a change that are shown; more of what is the same is counted. */
const context = 120;

export interface RenderTerms {
  /** Of the terminal; null where the output goes elsewhere. */
  readonly columns: number | null;
}

/**
 * What changed, in lines. Each begins with signs of ours (`- `, `+ `, `| `, or `^` under what changed) and holds nothing that ends it, so
 * that no definition can write a line of its own.
 */
export const renderPlaces = (places: readonly ChangedPlace[], { columns }: RenderTerms): readonly string[] => {
  const isSideBySide = columns !== null && columns >= leastSideBySide;
  const lines: string[] = isSideBySide ? sideHeader(columns) : [];
  for (const place of places) {
    lines.push(place.path === "" ? "the whole definition" : shownText(place.path));
    const sides = sidesOf(place);
    lines.push(...(isSideBySide ? sideBySide(sides, columns) : unified(sides, columns ?? unifiedWidth)));
  }
  return lines;
};

interface Sides {
  readonly approved: readonly Sign[] | null;
  readonly observed: readonly Sign[] | null;
}

const sidesOf = ({ approved, observed }: ChangedPlace): Sides => {
  const plain = { marked: [], spellsOut: false };
  if (approved === null || observed === null) {
    return {
      approved: approved === null ? null : signsOf(approved, plain),
      observed: observed === null ? null : signsOf(observed, plain),
    };
  }
  const words = markWords(approved, observed);
  return {
    approved: withoutSame(signsOf(approved, words.approved)),
    observed: withoutSame(signsOf(observed, words.observed)),
  };
};

/** Long stretches without a change become `<... 812 characters ...>`. */
const withoutSame = (signs: readonly Sign[]): readonly Sign[] => {
  const kept: (readonly Sign[])[] = [];
  for (let at = 0; at < signs.length; ) {
    let to = at;
    while (to < signs.length && (signs[to] as Sign).isMarked === (signs[at] as Sign).isMarked) to += 1;
    const head = at === 0 ? 0 : context;
    const tail = to === signs.length ? 0 : context;
    const left = to - at - head - tail;
    if ((signs[at] as Sign).isMarked || left <= context) kept.push(signs.slice(at, to));
    else kept.push(signs.slice(at, at + head), [counted(left)], signs.slice(to - tail, to));
    at = to;
  }
  return kept.flat();
};

const counted = (signs: number): Sign => {
  const text = `<... ${signs} characters ...>`;
  return { text, width: text.length, isMarked: false, endsLine: false };
};

const unified = ({ approved, observed }: Sides, columns: number): readonly string[] => {
  const width = Math.max(20, columns - 4);
  const side = (sign: string, signs: readonly Sign[] | null): readonly string[] =>
    signs === null
      ? []
      : rowsOf(signs, width).flatMap(({ text, marks }) => [
          `  ${sign} ${text}`,
          ...(marks === "" ? [] : [`    ${marks}`]),
        ]);
  return [...side("-", approved), ...side("+", observed)];
};

const columnWidth = (columns: number): number => Math.floor((columns - 7) / 2);

const sideHeader = (columns: number): string[] => [
  `| ${"approved".padEnd(columnWidth(columns))} | ${"observed".padEnd(columnWidth(columns))} |`,
];

const sideBySide = ({ approved, observed }: Sides, columns: number): readonly string[] => {
  const width = columnWidth(columns);
  const left = approved === null ? [] : rowsOf(approved, width);
  const right = observed === null ? [] : rowsOf(observed, width);
  const lines: string[] = [];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at] ?? emptyRow, right[at] ?? emptyRow];
    lines.push(`| ${padded(one, width)} | ${padded(other, width)} |`);
    if (one.marks !== "" || other.marks !== "")
      lines.push(`| ${one.marks.padEnd(width)} | ${other.marks.padEnd(width)} |`);
  }
  return lines;
};

const emptyRow: Row = { text: "", width: 0, marks: "" };
const padded = ({ text, width: used }: Row, width: number): string => text + " ".repeat(Math.max(0, width - used));
