import { NotSql, type Token } from "./tokens.ts";

/** One statement, or one part of a statement that is a statement itself: a subquery, a branch of a UNION, a CTE that deletes. */
export interface Node {
  /** Its first key word. */
  readonly head: string;
  /** What follows the key word, brackets as groups. */
  readonly items: readonly Token[];
  /** What it is a part of: nothing, a set operation, or brackets. */
  readonly within: "nothing" | "union" | "brackets";
  /** Which statement of the text it belongs to, from 0. */
  readonly statement: number;
}

const maxNodes = 1_000;

/** Words that begin a statement also where no semicolon is before them: SQL Server needs none. All are reserved there. */
const reserved: ReadonlySet<string> = new Set([
  ..."SELECT INSERT UPDATE DELETE MERGE TRUNCATE DROP ALTER CREATE GRANT REVOKE DENY EXEC EXECUTE".split(" "),
  ..."WAITFOR SHUTDOWN KILL BACKUP RESTORE RECONFIGURE".split(" "),
]);
/** Words behind which a statement begins although they are one themselves: blocks and branches. */
const blocks: ReadonlySet<string> = new Set("BEGIN ELSE THEN LOOP TRY CATCH REPEAT".split(" "));
/** Behind these a statement's word is a part of something else: `ON DELETE`, `FOR UPDATE`, `DO UPDATE`, `KEY UPDATE`. */
const notBefore: ReadonlySet<string> = new Set("ON FOR DO KEY OR OF AFTER BEFORE NO".split(" "));
/** Statements in which THEN and ELSE stand for something else. */
const ownBranches: ReadonlySet<string> = new Set(
  "MERGE SELECT UPDATE INSERT DELETE WITH VALUES SET CREATE ALTER".split(" "),
);
/** Statements that name other statements' words: rights, events, and what a table's change consists of. */
const naming: ReadonlySet<string> = new Set("GRANT REVOKE DENY ALTER COMMENT AUDIT".split(" "));
/** How what stands in brackets begins where it is a statement. */
const inBrackets: ReadonlySet<string> = new Set("SELECT WITH VALUES INSERT UPDATE DELETE MERGE TABLE".split(" "));
const setOperators: ReadonlySet<string> = new Set("UNION EXCEPT INTERSECT MINUS".split(" "));

/** Every statement of a text, nested ones behind those that hold them. Throws `NotSql` where there are too many. */
export const nodesOf = (tokens: readonly Token[]): readonly Node[] => {
  const found: Node[] = [];
  let statement = 0;
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && !isMark(tokens[at], ";")) continue;
    if (at > from) gather(tokens.slice(from, at), "nothing", statement++, found);
    from = at + 1;
  }
  return found;
};

const gather = (items: readonly Token[], within: Node["within"], statement: number, found: Node[]): void => {
  let from = 0;
  let head = wordAt(items, 0) ?? "";
  let via = within;
  for (let at = 1; at <= items.length; at++) {
    if (at < items.length && !beginsAt(items, at, head)) continue;
    const own = items.slice(head === "" ? from : from + 1, at);
    if (found.length >= maxNodes) throw new NotSql();
    found.push({ head, items: own, within: via, statement });
    from = at;
    head = wordAt(items, at) ?? "";
    via = isUnion(items, at) ? "union" : within;
  }
  for (const item of items) if (item.kind === "group") within_(item.tokens, statement, found);
};

const within_ = (tokens: readonly Token[], statement: number, found: Node[]): void => {
  const first = tokens[0];
  if (first?.kind === "word" && inBrackets.has(first.text)) gather(tokens, "brackets", statement, found);
  else for (const token of tokens) if (token.kind === "group") within_(token.tokens, statement, found);
};

/** Whether the word at `at` begins a statement of its own inside of one that began with `head`. */
const beginsAt = (items: readonly Token[], at: number, head: string): boolean => {
  const item = items[at];
  const before = items[at - 1];
  const after = items[at + 1];
  if (item?.kind !== "word" || isMark(before, ".") || isMark(after, ".")) return false;
  const previous = before?.kind === "word" ? before.text : "";
  if (blocks.has(previous) && !ownBranches.has(head)) return true;
  if (!reserved.has(item.text)) return false;
  if (item.text === "SELECT") return true;
  if (naming.has(head) || notBefore.has(previous)) return false;
  if (previous === "AS" && (head === "SELECT" || head === "WITH")) return false;
  if (head === "MERGE" && (previous === "THEN" || previous === "ELSE")) return false;
  if (head === "DROP" || (head === "CREATE" && before?.kind === "mark")) return before?.kind === "name";
  if (item.text === "EXECUTE" && (wordAt(items, at + 1) === "FUNCTION" || wordAt(items, at + 1) === "PROCEDURE"))
    return false;
  if (item.text === "EXEC" || item.text === "EXECUTE") return after !== undefined;
  return after?.kind === "word" || after?.kind === "name";
};

const isUnion = (items: readonly Token[], at: number): boolean => {
  for (let back = 1; back <= 2; back++) {
    const word = wordAt(items, at - back);
    if (word === null) return false;
    if (setOperators.has(word)) return true;
    if (word !== "ALL" && word !== "DISTINCT") return false;
  }
  return false;
};

export const wordAt = (items: readonly Token[], at: number): string | null => {
  const item = items[at];
  return item?.kind === "word" ? item.text : null;
};

export const isMark = (token: Token | undefined, text: string): boolean =>
  token?.kind === "mark" && token.text === text;

/** The place of the first of these words at this level; -1 where there is none. */
export const indexOfWord = (items: readonly Token[], words: ReadonlySet<string> | string, from = 0): number => {
  for (let at = from; at < items.length; at++) {
    const item = items[at];
    if (item?.kind === "word" && (typeof words === "string" ? item.text === words : words.has(item.text))) return at;
  }
  return -1;
};
