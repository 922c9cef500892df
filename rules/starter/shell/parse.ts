import type { ShellNode } from "./tree.ts";

/** Parsing costs about 4 microseconds a byte; longer commands are a human's to read. */
export const maxCommandCharacters = 16_384;

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

/** Parses bash with mvdan-sh. It is loaded when the first command is judged: 75 ms that other rules need not pay. Throws `Unparseable`. */
export const parseShell = async (text: string): Promise<ShellTree> => {
  if (text.length > maxCommandCharacters || text.includes("\0")) throw new Unparseable();
  const { syntax } = (await import("mvdan-sh")).default;
  let root: ShellNode;
  try {
    root = syntax.NewParser().Parse(text, "");
  } catch {
    // A syntax error, or nesting that overflows the parser's stack.
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
