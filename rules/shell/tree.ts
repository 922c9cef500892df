/**
 * A script's tree, as plain values: the fields of mvdan-sh's nodes under their own names, see
 * https://pkg.go.dev/mvdan.cc/sh/v3/syntax. Absent parts are null. Closed: read-tree.ts refuses every other node.
 */
export type ShellNode = StatementNode | CommandNode | WordNode | PartNode | OtherNode;

export interface StatementNode {
  readonly type: "Stmt";
  readonly Cmd: CommandNode | null;
  readonly Redirs: readonly RedirectNode[];
  readonly Background: boolean;
}

export interface RedirectNode {
  readonly type: "Redirect";
  readonly Op: number;
  readonly Word: WordNode | null;
  readonly Hdoc: WordNode | null;
}

export interface AssignNode {
  readonly type: "Assign";
  readonly Append: boolean;
  /** `export NAME` without a value. */
  readonly Naked: boolean;
  readonly Name: LiteralNode | null;
  readonly Index: ShellNode | null;
  readonly Value: WordNode | null;
  readonly Array: ShellNode | null;
}

export interface LiteralNode {
  readonly type: "Lit";
  readonly Value: string;
}

export interface WordNode {
  readonly type: "Word";
  readonly Parts: readonly PartNode[];
}

export interface ParameterNode {
  readonly type: "ParamExp";
  readonly Param: LiteralNode | null;
  readonly Excl: boolean;
  readonly Length: boolean;
  readonly Width: boolean;
  readonly Index: ShellNode | null;
  readonly Slice: ShellNode | null;
  readonly Repl: ShellNode | null;
  readonly Names: number;
  readonly Exp: ExpansionNode | null;
}

export interface ExpansionNode {
  readonly type: "Expansion";
  readonly Op: number;
  readonly Word: WordNode | null;
}

export interface SubstitutionNode {
  readonly type: "CmdSubst" | "ProcSubst";
  readonly Stmts: readonly StatementNode[];
}

export type PartNode =
  | LiteralNode
  | ParameterNode
  | SubstitutionNode
  | { readonly type: "SglQuoted"; readonly Dollar: boolean; readonly Value: string }
  | { readonly type: "DblQuoted"; readonly Dollar: boolean; readonly Parts: readonly PartNode[] }
  | { readonly type: "ArithmExp"; readonly X: ShellNode | null }
  | { readonly type: "ExtGlob"; readonly Pattern: LiteralNode };

export interface CallNode {
  readonly type: "CallExpr";
  readonly Assigns: readonly AssignNode[];
  readonly Args: readonly WordNode[];
}

export type CommandNode =
  | CallNode
  | { readonly type: "Subshell" | "Block"; readonly Stmts: readonly StatementNode[] }
  | {
      readonly type: "IfClause";
      readonly Cond: readonly StatementNode[];
      readonly Then: readonly StatementNode[];
      readonly Else: CommandNode | null;
    }
  | { readonly type: "WhileClause"; readonly Cond: readonly StatementNode[]; readonly Do: readonly StatementNode[] }
  | { readonly type: "ForClause"; readonly Loop: LoopNode; readonly Do: readonly StatementNode[] }
  | { readonly type: "BinaryCmd"; readonly Op: number; readonly X: StatementNode; readonly Y: StatementNode }
  | { readonly type: "FuncDecl"; readonly Name: LiteralNode; readonly Body: StatementNode }
  | { readonly type: "CaseClause"; readonly Word: WordNode; readonly Items: readonly CaseItemNode[] }
  | { readonly type: "DeclClause"; readonly Variant: LiteralNode; readonly Args: readonly AssignNode[] }
  | { readonly type: "TimeClause"; readonly Stmt: StatementNode | null }
  | { readonly type: "CoprocClause"; readonly Stmt: StatementNode }
  | { readonly type: "ArithmCmd" | "TestClause"; readonly X: ShellNode | null }
  | { readonly type: "LetClause"; readonly Exprs: readonly ShellNode[] };

export type LoopNode =
  | { readonly type: "WordIter"; readonly Name: LiteralNode; readonly Items: readonly WordNode[] }
  | {
      readonly type: "CStyleLoop";
      readonly Init: ShellNode | null;
      readonly Cond: ShellNode | null;
      readonly Post: ShellNode | null;
    };

export interface CaseItemNode {
  readonly type: "CaseItem";
  readonly Patterns: readonly WordNode[];
  readonly Stmts: readonly StatementNode[];
}

/** Nodes that are only looked through for the commands inside them. */
export type OtherNode =
  | { readonly type: "File"; readonly Stmts: readonly StatementNode[] }
  | LoopNode
  | CaseItemNode
  | AssignNode
  | RedirectNode
  | ExpansionNode
  | { readonly type: "ArrayExpr"; readonly Elems: readonly ShellNode[] }
  | { readonly type: "ArrayElem"; readonly Index: ShellNode | null; readonly Value: WordNode | null }
  | { readonly type: "BinaryArithm" | "BinaryTest"; readonly Op: number; readonly X: ShellNode; readonly Y: ShellNode }
  | { readonly type: "UnaryArithm" | "ParenArithm" | "UnaryTest" | "ParenTest"; readonly X: ShellNode }
  | { readonly type: "Slice"; readonly Offset: ShellNode | null; readonly Length: ShellNode | null }
  | { readonly type: "Replace"; readonly Orig: WordNode | null; readonly With: WordNode | null };

export type FileNode = Extract<OtherNode, { readonly type: "File" }>;

/** The parser's operator tokens (0.10.1). A test holds them against the parser. */
export const operator = Object.freeze({
  and: 10,
  or: 11,
  pipe: 12,
  pipeAll: 13,
  /** `>`, `>>`, `<>`, `>&`, `>|`, `&>`, `&>>`: what they name may be written. */
  writing: Object.freeze([54, 55, 57, 59, 60, 64, 65]),
  hereDocument: Object.freeze([61, 62]),
  hereString: 63,
  /** `${x-word}`, `${x:-word}`, `${x=word}`, `${x:=word}`. */
  defaults: Object.freeze([70, 71, 74, 75]),
});
