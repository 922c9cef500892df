import type { Parser } from "mvdan-sh";
import { readTree } from "./read-tree.ts";
import type { FileNode } from "./tree.ts";

/**
 * What is read of one script, and of all the scripts and nodes that one call holds. Others wait while a command is judged, so
 * more is a human's to read: parsing costs up to 4 microseconds a character.
 */
export const maxCommandCharacters = 16_384;
const maxCharacters = 2 * maxCommandCharacters;
export const maxNodes = 6_000;
const maxSteps = 1_500;

/** The text is not a shell command that can be judged. */
export class Unparseable extends Error {
  override readonly name = "Unparseable";
}

/** What may still be read of one call. Throws `Unparseable` where it is used up. */
export class ReadingBudget {
  #characters = maxCharacters;
  #nodes = maxNodes;
  #steps = maxSteps;

  takeText(text: string): void {
    this.#characters -= text.length;
    if (text.length > maxCommandCharacters || this.#characters < 0) throw new Unparseable();
  }

  /** One command that is followed: a function may be called again and again. */
  takeStep(): void {
    if (--this.#steps < 0) throw new Unparseable();
  }

  takeNode(): void {
    if (--this.#nodes < 0) throw new Unparseable();
  }
}

/** Loading it makes every error of this thread carry its whole stack, which for a stack that overflowed takes seconds. */
const loadParser = async () => {
  const { stackTraceLimit } = Error;
  try {
    return (await import("mvdan-sh")).default;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/** Parses bash with mvdan-sh. It is loaded when the first command is judged: 75 ms that other rules need not pay. Throws `Unparseable`. */
export const parseShell = async (text: string, budget: ReadingBudget = new ReadingBudget()): Promise<FileNode> => {
  budget.takeText(text);
  if (text.includes("\0")) throw new Unparseable();
  const { syntax } = await loadParser();
  // Making one costs ten times what a short line does.
  const parser = idle ?? syntax.NewParser();
  idle = null;
  try {
    const tree = readTree(parser.Parse(text, ""), () => budget.takeNode());
    // One that threw may be left in any state: it is not used again.
    idle = parser;
    return tree;
  } catch {
    // A syntax error, nesting that overflows the parser's stack, or more than is read.
    throw new Unparseable();
  }
};

let idle: Parser | null = null;
