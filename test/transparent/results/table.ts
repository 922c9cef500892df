import type { Counts } from "./comparison.ts";

/** One line of the result. */
export interface Row extends Counts {
  readonly suite: string;
  readonly version: string;
  /** Questions that the daemon decided while the suite ran with the guard. */
  readonly questions: number;
}

/** What `--json` writes. */
export interface Evaluation {
  readonly date: string;
  readonly node: string;
  readonly suites: readonly Row[];
  /** Why a suite says nothing. */
  readonly not_run: readonly string[];
}

const heads = ["suite", "version", "tests", "passed plain", "passed guarded", "failed only when guarded", "questions"];

const cells = (row: Row): readonly string[] => [
  row.suite,
  row.version,
  ...[row.tests, row.passed_plain, row.passed_guarded, row.only_guarded.length, row.questions].map(String),
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
