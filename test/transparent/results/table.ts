import type { Counts } from "./comparison.ts";

/** One line of the result. */
export interface Row {
  readonly suite: string;
  readonly version: string;
  readonly counts: Counts;
  /** Questions that the daemon decided while the suite ran with the guard. */
  readonly questions: number;
}

const heads = ["suite", "version", "tests", "passed plain", "passed guarded", "failed only when guarded", "questions"];

const cells = ({ suite, version, counts, questions }: Row): readonly string[] => [
  suite,
  version,
  ...[counts.tests, counts.passed_plain, counts.passed_guarded, counts.only_guarded.length, questions].map(String),
];

/** A Markdown table whose columns line up in a terminal too. */
export const table = (rows: readonly Row[]): string => {
  const lines = [heads, ...rows.map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  const isNumber = (column: number): boolean => column > 1;
  const drawn = lines.map((line) => {
    const padded = line.map((cell, column) => {
      const width = widths[column] as number;
      return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(" | ")} |`;
  });
  const rule = `| ${widths.map((width, column) => (isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [drawn[0], rule, ...drawn.slice(1)].join("\n");
};
