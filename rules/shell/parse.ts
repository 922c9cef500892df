import type { ShellNode } from "./tree.ts";

/**
 * What is read of one script, and of all the scripts and nodes that one call holds. Others wait while a command is judged, so
 * more is a human's to read: parsing costs up to 4 microseconds a character, and each node of the tree some 30.
 */
export const maxCommandCharacters = 16_384;
const maxCharacters = 2 * maxCommandCharacters;
export const maxNodes = 2_000;

/** The text is not a shell command that can be judged. */
export class Unparseable extends Error {
  override readonly name = "Unparseable";
}

export interface ShellTree {
  readonly root: ShellNode;
  typeOf(node: ShellNode): string;
  /** Calls back with each node before its children, and with null after them. */
  walk(node: ShellNode, visit: (node: ShellNode | null) => void): void;
}

/** What may still be read of one call. Throws `Unparseable` where it is used up. */
export class ReadingBudget {
  #characters = maxCharacters;
  #nodes = maxNodes;

  takeText(text: string): void {
    this.#characters -= text.length;
    if (text.length > maxCommandCharacters || this.#characters < 0) throw new Unparseable();
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
export const parseShell = async (text: string, budget: ReadingBudget = new ReadingBudget()): Promise<ShellTree> => {
  budget.takeText(text);
  if (text.includes("\0")) throw new Unparseable();
  const { syntax } = await loadParser();
  let root: ShellNode;
  try {
    root = syntax.NewParser().Parse(text, "");
    // Counted before anything is read of it: to look at one node can mean to copy all that it holds.
    syntax.Walk(root, (node) => {
      if (node !== null) budget.takeNode();
      return true;
    });
  } catch {
    // A syntax error, nesting that overflows the parser's stack, or more than is read.
    throw new Unparseable();
  }
  return {
    root,
    typeOf: (node) => syntax.NodeType(node),
    walk: (node, visit) =>
      syntax.Walk(node, (inner) => {
        visit(inner);
        return true;
      }),
  };
};
