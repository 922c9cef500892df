import type { FileNode } from "./tree.ts";

/**
 * The fields that are read of each node. mvdan-sh is Go compiled to JavaScript, and what it hands out copies a node's whole tree at
 * every look: 70 nodes took 2 to 7 ms. So its own objects are read here, once, and a node that is not in this table is refused. A test
 * holds the table against the version that is installed.
 */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  File: ["Stmts"],
  Stmt: ["Cmd", "Redirs", "Background"],
  Redirect: ["Op", "Word", "Hdoc"],
  Assign: ["Append", "Naked", "Name", "Index", "Value", "Array"],
  ArrayExpr: ["Elems"],
  ArrayElem: ["Index", "Value"],
  CallExpr: ["Assigns", "Args"],
  Subshell: ["Stmts"],
  Block: ["Stmts"],
  IfClause: ["Cond", "Then", "Else"],
  WhileClause: ["Cond", "Do"],
  ForClause: ["Loop", "Do"],
  WordIter: ["Name", "Items"],
  CStyleLoop: ["Init", "Cond", "Post"],
  BinaryCmd: ["Op", "X", "Y"],
  FuncDecl: ["Name", "Body"],
  CaseClause: ["Word", "Items"],
  CaseItem: ["Patterns", "Stmts"],
  DeclClause: ["Variant", "Args"],
  TimeClause: ["Stmt"],
  CoprocClause: ["Stmt"],
  ArithmCmd: ["X"],
  TestClause: ["X"],
  LetClause: ["Exprs"],
  Word: ["Parts"],
  Lit: ["Value"],
  SglQuoted: ["Dollar", "Value"],
  DblQuoted: ["Dollar", "Parts"],
  ParamExp: ["Param", "Excl", "Length", "Width", "Index", "Slice", "Repl", "Names", "Exp"],
  Expansion: ["Op", "Word"],
  Slice: ["Offset", "Length"],
  Replace: ["Orig", "With"],
  CmdSubst: ["Stmts"],
  ProcSubst: ["Stmts"],
  ArithmExp: ["X"],
  BinaryArithm: ["Op", "X", "Y"],
  UnaryArithm: ["X"],
  ParenArithm: ["X"],
  BinaryTest: ["Op", "X", "Y"],
  UnaryTest: ["X"],
  ParenTest: ["X"],
  ExtGlob: ["Pattern"],
};

/** One of Go's objects, as GopherJS lays it out. */
type GoObject = {
  readonly [field: string]: unknown;
  readonly constructor: { readonly string?: unknown; readonly nil?: unknown };
};
interface GoSlice {
  readonly $array: readonly unknown[];
  readonly $offset: number;
  readonly $length: number;
}

const prefix = "*syntax.";

/** The plain tree of what the parser returned. Calls `takeNode` for each node before it is read. Throws where a node is not known. */
export const readTree = (parsed: unknown, takeNode: () => void): FileNode => {
  const file = read((parsed as { readonly __internal_object__?: unknown }).__internal_object__, takeNode, 0);
  if (file === null || (file as FileNode).type !== "File") throw new Error("the parser returned no file");
  return file as FileNode;
};

/** Deeper than people write, and far from what the stack takes. */
const maxDepth = 400;

const read = (value: unknown, takeNode: () => void, depth: number): unknown => {
  if (typeof value === "string") return decoded(value);
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "object" || value === null) throw new Error("the parser's tree is not laid out as it was");
  if ("$array" in value) return readSlice(value as GoSlice, takeNode, depth);
  const kind = (value as GoObject).constructor;
  const name = kind.string;
  // Go's nil of an interface is an object of no type; of a pointer, one that its type keeps.
  if (name === undefined && "commandNode" in value) return null;
  if (typeof name !== "string" || !name.startsWith(prefix))
    throw new Error("the parser's tree is not laid out as it was");
  if (kind.nil === value) return null;
  const type = name.slice(prefix.length);
  const fields = fieldsOf[type];
  if (fields === undefined || depth > maxDepth) throw new Error("the script holds what is not read");
  takeNode();
  const node: Record<string, unknown> = { type };
  for (const field of fields) node[field] = read((value as GoObject)[field], takeNode, depth + 1);
  return node;
};

const readSlice = ({ $array, $offset, $length }: GoSlice, takeNode: () => void, depth: number): readonly unknown[] => {
  const items: unknown[] = [];
  for (let at = 0; at < $length; at++) items.push(read($array[$offset + at], takeNode, depth + 1));
  return items;
};

/** Go's strings are bytes of UTF-8, one a character. */
const decoded = (text: string): string => {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, "latin1").toString("utf8");
  return text;
};
