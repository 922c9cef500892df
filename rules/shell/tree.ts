/** A node of mvdan-sh's tree. Which fields are there depends on its type; see https://pkg.go.dev/mvdan.cc/sh/v3/syntax. */
export interface ShellNode {
  Pos(): { Offset(): number };
  End(): { Offset(): number };
}

export interface WordNode extends ShellNode {
  readonly Parts: readonly PartNode[];
}

export interface PartNode extends ShellNode {
  readonly Value: string;
  readonly Dollar: boolean;
  readonly Parts: readonly PartNode[];
  readonly Param: { readonly Value: string } | null;
  readonly Exp: unknown;
  readonly Length: boolean;
  readonly Excl: boolean;
  readonly Index: unknown;
  readonly Slice: unknown;
  readonly Repl: unknown;
}

export interface CallNode extends ShellNode {
  readonly Args: readonly WordNode[];
}

export interface RedirectNode extends ShellNode {
  readonly Op: number;
  readonly Word: WordNode;
  readonly Hdoc: WordNode | null;
}

export interface StatementNode extends ShellNode {
  readonly Cmd: ShellNode | null;
  readonly Redirs: readonly RedirectNode[];
  readonly Background: boolean;
}

export interface BinaryNode extends ShellNode {
  readonly Op: number;
  readonly X: ShellNode;
  readonly Y: ShellNode;
}

export interface FunctionNode extends ShellNode {
  readonly Name: { readonly Value: string };
  readonly Body: ShellNode;
}

/** The parser's operator tokens (0.10.1). A test holds them against the parser. */
export const operator = Object.freeze({
  pipe: 12,
  pipeAll: 13,
  /** `>`, `>>`, `<>`, `>&`, `>|`, `&>`, `&>>`: what they name may be written. */
  writing: Object.freeze([54, 55, 57, 59, 60, 64, 65]),
  hereDocument: Object.freeze([61, 62]),
  hereString: 63,
});
