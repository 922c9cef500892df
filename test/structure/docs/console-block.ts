/** One command of a console block and what it should print. */
export interface ConsoleStep {
  readonly command: string;
  /** Runs on while later commands run; ended with the document. */
  readonly background: boolean;
  readonly expected: readonly string[];
  /** Line of the command in the document, from 1. */
  readonly line: number;
}

/**
 * Lines that begin with `$ ` are commands, a `> ` line right after one continues it, everything else is output.
 * `firstLine` is the document's line of the block's first line.
 */
export const consoleSteps = (lines: readonly string[], firstLine: number): readonly ConsoleStep[] => {
  const steps: { command: string; expected: string[]; line: number }[] = [];
  for (const [at, text] of lines.entries()) {
    const current = steps.at(-1);
    if (text.startsWith("$ ")) {
      steps.push({ command: text.slice(2), expected: [], line: firstLine + at });
    } else if (current === undefined) {
      throw new Error(`line ${firstLine + at}: a console block begins with a command`);
    } else if (text.startsWith("> ") && current.expected.length === 0) {
      current.command += `\n${text.slice(2)}`;
    } else {
      current.expected.push(text);
    }
  }
  if (steps.length === 0) throw new Error(`line ${firstLine}: a console block has a command`);
  return steps.map(({ command, expected, line }) => {
    const trimmed = command.trimEnd();
    return {
      command,
      background: trimmed.endsWith("&") && !trimmed.endsWith("&&"),
      expected: withoutEdges(expected),
      line,
    };
  });
};

/** Empty lines between one command's output and the next command are layout. */
const withoutEdges = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
};
