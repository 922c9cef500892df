import { type Condition, conditionOf } from "./condition.ts";
import { indexOfWord, isMark, type Node, wordAt } from "./nodes.ts";
import { conditionEnds, isNamed, nameAt, tablesOf, words } from "./tables.ts";
import type { Token } from "./tokens.ts";

/** Which rows a change reaches. */
export type Reach = "some rows" | "all rows";

/** What one statement does. Closed: what none of these fits is `unknown`, and is never taken for harmless. */
export type Statement = {
  readonly node: Node;
  /** Tables that it names, in upper case, with their schema where one is written: `MYSQL.USER`. */
  readonly tables: readonly string[];
  /** A condition of it has a side that holds for every row. */
  readonly isOpened: boolean;
} & (
  | { readonly kind: "read" /** No WHERE, no LIMIT, no grouping: every row. */; readonly reach: Reach }
  | { readonly kind: "insert" }
  | { readonly kind: "update" | "delete"; readonly reach: Reach }
  | { readonly kind: "ddl"; readonly what: "creates" | "alters" | "destroys" | "weakens"; readonly isScratch: boolean }
  | { readonly kind: "privilege" }
  | { readonly kind: "file"; readonly what: "file" | "program" }
  /** `text`: SQL that it runs, where that is written out; null where only the database knows it. */
  | { readonly kind: "procedure"; readonly name: string; readonly text: string | null; readonly isDynamic: boolean }
  | { readonly kind: "session"; readonly what: "harmless" | "server" | "ends" | "waits" }
  | { readonly kind: "unknown" }
);

const readers: ReadonlySet<string> = words("SELECT WITH VALUES TABLE FROM PIVOT SUMMARIZE");
const harmless: ReadonlySet<string> = words(
  "EXPLAIN DESCRIBE DESC SHOW USE BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE END ABORT ANALYZE ANALYSE OPTIMIZE CHECK CHECKSUM REINDEX CLUSTER REFRESH VACUUM PRAGMA LOCK UNLOCK FETCH OPEN CLOSE DEALLOCATE LISTEN NOTIFY UNLISTEN CHECKPOINT COMMENT DISCARD PRINT DECLARE IF ELSE WHILE RETURN RAISE RAISERROR THROW HELP DETACH LOOP THEN TRY CATCH TRAN TRANSACTION VERBOSE MOVE GO REPEAT LEAVE ITERATE EXIT CONTINUE WHEN ELSIF ELSEIF FOR PERFORM NULL SAVE WORK ISOLATION READ DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT CASE ALIAS",
);

/** Reads one statement. */
export const statementOf = (node: Node): Statement => {
  const { head, items } = node;
  const base = { node, tables: tablesOf(node), isOpened: conditionsOf(items).some(({ isOpened }) => isOpened) };
  if (readers.has(head) || (head === "" && items[0]?.kind === "group")) return readOf(base, items);
  switch (head) {
    case "INSERT":
    case "REPLACE":
    case "UPSERT":
      return { ...base, kind: "insert" };
    case "MERGE":
      return mergeOf(base, items);
    case "UPDATE":
      if (wordAt(items, 0) === "STATISTICS") return { ...base, kind: "session", what: "harmless" };
      return { ...base, kind: "update", reach: reachOf(items) };
    case "DELETE":
      return { ...base, kind: "delete", reach: reachOf(items) };
    case "TRUNCATE":
      return { ...base, kind: "ddl", what: "destroys", isScratch: isScratch(items) };
    case "DROP":
      return dropOf(base, items);
    case "ALTER":
      return alterOf(base, items);
    case "CREATE":
      return createOf(base, items);
    case "RENAME":
      return wordAt(items, 0) === "USER"
        ? { ...base, kind: "privilege" }
        : { ...base, kind: "ddl", what: "alters", isScratch: false };
    case "IMPORT":
      return { ...base, kind: "ddl", what: "creates", isScratch: false };
    case "REASSIGN":
    case "GRANT":
    case "REVOKE":
    case "DENY":
      return { ...base, kind: "privilege" };
    case "SET":
    case "RESET":
      return setOf(base, items);
    case "PREPARE":
    case "EXEC":
    case "EXECUTE":
    case "CALL":
    case "DO":
      return procedureOf(base, head, items);
    case "COPY":
    case "LOAD":
    case "UNLOAD":
    case "EXPORT":
    case "BULK":
    case "BACKUP":
    case "ATTACH":
    case "INSTALL":
      return fileOf(base, head, items);
    case "RESTORE":
      return { ...base, kind: "ddl", what: "destroys", isScratch: false };
    case "SHUTDOWN":
    case "RESTART":
    case "RECONFIGURE":
    case "PURGE":
    case "RESIGNAL":
      return { ...base, kind: "session", what: "server" };
    case "FLUSH":
      return { ...base, kind: "session", what: wordAt(items, 0) === "PRIVILEGES" ? "server" : "harmless" };
    case "KILL":
      return { ...base, kind: "session", what: "ends" };
    case "WAITFOR":
      return { ...base, kind: "session", what: "waits" };
  }
  if (head === "VACUUM" && indexOfWord(items, "INTO") !== -1) return { ...base, kind: "file", what: "file" };
  if (head === "PRAGMA" && wordAt(items, 0) === "WRITABLE_SCHEMA") return { ...base, kind: "session", what: "server" };
  if (harmless.has(head)) return { ...base, kind: "session", what: "harmless" };
  if (/^(?:SP|XP)_/.test(head)) return procedureOf(base, "EXEC", [{ kind: "word", text: head }, ...items]);
  return otherOf(base, items);
};

type Base = Pick<Statement, "node" | "tables" | "isOpened">;

/** An assignment in a procedure's body, an ODBC `{call ...}`, or nothing that is a statement. */
const otherOf = (base: Base, items: readonly Token[]): Statement => {
  if (isMark(items[0], "{"))
    return { ...base, kind: "procedure", name: nameAt(items, 2), text: null, isDynamic: false };
  const operator = isMark(items[0], ".") ? items[2] : items[0];
  if (isMark(operator, "=") || isMark(operator, ":=")) return { ...base, kind: "session", what: "harmless" };
  return { ...base, kind: "unknown" };
};

const bounding: ReadonlySet<string> = words(
  "WHERE LIMIT TOP FETCH GROUP HAVING DISTINCT QUALIFY SAMPLE TABLESAMPLE JOIN",
);
const limits: ReadonlySet<string> = words("LIMIT TOP");
const serverWide: ReadonlySet<string> = words("TRUSTWORTHY SINGLE_USER OFFLINE");
const objects: ReadonlySet<string> = words(
  "TABLE INDEX VIEW USER ROLE LOGIN GROUP FUNCTION PROCEDURE PROC EXTENSION SERVER SUBSCRIPTION ASSEMBLY CREDENTIAL DIRECTORY LINK JAVA LANGUAGE TRIGGER TYPE SCHEMA DATABASE SEQUENCE",
);
const directions: ReadonlySet<string> = words("TO FROM");

const readOf = (base: Base, items: readonly Token[]): Statement => {
  const into = indexOfWord(items, "INTO");
  const target = into === -1 ? null : wordAt(items, into + 1);
  if (target === "OUTFILE" || target === "DUMPFILE") return { ...base, kind: "file", what: "file" };
  const bounded = indexOfWord(items, bounding) !== -1;
  return { ...base, kind: "read", reach: bounded || base.tables.length === 0 ? "some rows" : "all rows" };
};

/** All rows where there is no condition, or one that holds for every row. A LIMIT, or the condition of a join, bounds too. */
const reachOf = (items: readonly Token[]): Reach => {
  if (indexOfWord(items, limits) !== -1) return "some rows";
  if (indexOfWord(items, "CURRENT") !== -1 && indexOfWord(items, "OF") !== -1) return "some rows";
  const conditions = conditionsOf(items);
  return conditions.some(({ truth }) => truth !== "always") ? "some rows" : "all rows";
};

/** A MERGE that deletes or updates what it matches reaches as far as its ON does. */
const mergeOf = (base: Base, items: readonly Token[]): Statement => {
  const changes = items.some(
    (item, at) =>
      item.kind === "word" && item.text === "THEN" && /^(?:DELETE|UPDATE)$/.test(wordAt(items, at + 1) ?? ""),
  );
  const on = indexOfWord(items, "ON");
  const when = indexOfWord(items, "WHEN", on);
  if (!changes || on === -1 || when === -1) return { ...base, kind: "insert" };
  const { truth } = conditionOf(items.slice(on + 1, when));
  return { ...base, kind: "delete", reach: truth === "always" ? "all rows" : "some rows" };
};

/** What stands behind WHERE and behind the ON of a join, at this level. */
const conditionsOf = (items: readonly Token[]): readonly Condition[] => {
  const found: Condition[] = [];
  for (let at = 0; at < items.length; at++) {
    const word = wordAt(items, at);
    const isCondition = word === "WHERE" || word === "HAVING" || (word === "ON" && joinedBefore(items, at));
    if (!isCondition) continue;
    let end = at + 1;
    while (end < items.length && !endsCondition(items, end)) end++;
    found.push(conditionOf(items.slice(at + 1, end)));
  }
  return found;
};

const joinWords: ReadonlySet<string> = words("JOIN WHERE SET LEFT RIGHT INNER CROSS FULL NATURAL");
const endsCondition = (items: readonly Token[], at: number): boolean => {
  const word = wordAt(items, at);
  return word !== null && (conditionEnds.has(word) || (joinWords.has(word) && items[at + 1]?.kind !== "group"));
};

const joinedBefore = (items: readonly Token[], at: number): boolean => {
  for (let back = at - 1; back >= 0 && back > at - 12; back--) if (wordAt(items, back) === "JOIN") return true;
  return false;
};

const dropOf = (base: Base, items: readonly Token[]): Statement => {
  const what = wordAt(items, 0);
  if (what === "USER" || what === "ROLE" || what === "LOGIN") return { ...base, kind: "privilege" };
  if (what === "TABLE" && base.tables.length === 0) return { ...base, kind: "unknown" };
  if (what === "PREPARE") return { ...base, kind: "session", what: "harmless" };
  return { ...base, kind: "ddl", what: "destroys", isScratch: isScratch(items) };
};

/** Of this session only: a temporary table, `#name`, or in the schema of temporary tables. */
const isScratch = (items: readonly Token[]): boolean =>
  items.some(
    (item) =>
      (item.kind === "word" && (item.text === "TEMPORARY" || item.text === "TEMP" || item.text === "PG_TEMP")) ||
      ((item.kind === "word" || item.kind === "name") && item.text.startsWith("#")),
  ) && !items.some((item) => isMark(item, ","));

const privileged: ReadonlySet<string> = words("USER ROLE LOGIN GROUP CREDENTIAL SYSTEM");

const alterOf = (base: Base, items: readonly Token[]): Statement => {
  const what = wordAt(items, 0) ?? "";
  if (what === "SYSTEM") return { ...base, kind: "session", what: "server" };
  if (privileged.has(what) || what === "AUTHORIZATION" || indexOfWord(items, "OWNER") !== -1)
    return { ...base, kind: "privilege" };
  const alters = { ...base, kind: "ddl", isScratch: false } as const;
  if (what === "DATABASE" || what === "SERVER") {
    const isServer = indexOfWord(items, serverWide) !== -1;
    return isServer ? { ...base, kind: "session", what: "server" } : { ...alters, what: "alters" };
  }
  for (const [at, item] of items.entries()) {
    if (item.kind !== "word") continue;
    const next = wordAt(items, at + 1) ?? "";
    if (item.text === "DISABLE" && /^(?:TRIGGER|ROW|RULE|KEYS)$/.test(next))
      return { ...alters, what: next === "KEYS" ? "alters" : "weakens" };
    if (item.text === "NO" && next === "FORCE") return { ...alters, what: "weakens" };
    // What holds data: a column or a partition. Constraints, defaults and indexes are made again.
    if (
      item.text === "DROP" &&
      !/^(?:CONSTRAINT|DEFAULT|NOT|INDEX|KEY|FOREIGN|PRIMARY|CHECK|IDENTITY|EXPRESSION)$/.test(next)
    )
      return { ...alters, what: "destroys" };
    if (item.text === "DISCARD" || item.text === "TRUNCATE") return { ...alters, what: "destroys" };
  }
  return { ...alters, what: "alters" };
};

/** Extensions of PostgreSQL that read files, reach other hosts, or run programs. */
const unsafeExtensions: ReadonlySet<string> = words(
  "DBLINK FILE_FDW ADMINPACK PLPYTHONU PLPYTHON3U PLPERLU PLTCLU HTTP PG_NET POSTGRES_FDW LO PLSH",
);
const unsafeLanguages: ReadonlySet<string> = words("C PLPYTHONU PLPYTHON3U PLPERLU PLTCLU PLSH JAVA PLR");

const createOf = (base: Base, items: readonly Token[]): Statement => {
  const at = indexOfWord(items, objects);
  const what = at === -1 ? "" : wordAt(items, at);
  if (what === "USER" || what === "ROLE" || what === "LOGIN" || what === "GROUP" || what === "CREDENTIAL")
    return { ...base, kind: "privilege" };
  if (what === "ASSEMBLY" || what === "JAVA" || what === "LANGUAGE" || indexOfWord(items, "SONAME") !== -1)
    return { ...base, kind: "file", what: "program" };
  if (what === "DIRECTORY") return { ...base, kind: "file", what: "file" };
  if (what === "SERVER" || what === "SUBSCRIPTION" || what === "LINK")
    return { ...base, kind: "session", what: "server" };
  if (what === "EXTENSION" && items.some((item) => isNamed(item) && unsafeExtensions.has(item.text.toUpperCase())))
    return { ...base, kind: "file", what: "program" };
  if (what === "FUNCTION" || what === "PROCEDURE" || what === "PROC") {
    const language = items[indexOfWord(items, "LANGUAGE") + 1];
    if (
      indexOfWord(items, "LANGUAGE") !== -1 &&
      language !== undefined &&
      language.kind !== "group" &&
      unsafeLanguages.has(language.text.toUpperCase())
    )
      return { ...base, kind: "file", what: "program" };
    // A function's text stays in the database; what it does is judged as if it were run.
    const body = items.find((item) => item.kind === "string" && item.text.length > 8);
    if (body?.kind === "string") return { ...base, kind: "procedure", name: "", text: body.text, isDynamic: false };
  }
  // A policy that holds for every row is none: https://www.postgresql.org/docs/current/sql-createpolicy.html.
  if (wordAt(items, 0) === "POLICY" && items.some((item, at) => isOpenTo(items, item, at)))
    return { ...base, kind: "ddl", what: "weakens", isScratch: false };
  return { ...base, kind: "ddl", what: "creates", isScratch: isScratch(items) };
};

const isOpenTo = (items: readonly Token[], item: Token, at: number): boolean => {
  const before = wordAt(items, at - 1);
  if (item.kind !== "group" || (before !== "USING" && before !== "CHECK") || item.tokens.length !== 1) return false;
  return wordAt(item.tokens, 0) === "TRUE";
};

const setOf = (base: Base, items: readonly Token[]): Statement => {
  const first = wordAt(items, 0) ?? "";
  if (
    first === "PASSWORD" ||
    first === "ROLE" ||
    (first === "SESSION" && wordAt(items, 1) === "AUTHORIZATION") ||
    first === "AUTHORIZATION"
  )
    return { ...base, kind: "privilege" };
  const isServer = /^(?:GLOBAL|PERSIST|PERSIST_ONLY|@@GLOBAL|@@PERSIST)$/.test(first);
  return { ...base, kind: "session", what: isServer ? "server" : "harmless" };
};

const procedureOf = (base: Base, head: string, items: readonly Token[]): Statement => {
  const call = { ...base, kind: "procedure" } as const;
  const texts = items.filter((item) => item.kind === "string");
  const only = texts.length === 1 && texts[0]?.kind === "string" ? texts[0].text : null;
  if (head === "DO")
    return {
      ...call,
      name: "",
      text: only,
      isDynamic: only === null && items[0]?.kind !== "group" && !hasGroup(items),
    };
  if (head === "PREPARE") {
    const from = indexOfWord(items, "FROM");
    return {
      ...call,
      name: "",
      text: from === -1 ? null : only,
      isDynamic: from !== -1 && only === null && indexOfWord(items, "AS") === -1,
    };
  }
  const [first] = items;
  if (first?.kind === "group") return { ...call, name: "", ...textIn(first.tokens) };
  if (first?.kind === "string") return { ...call, name: "", ...textIn([first]) };
  if (wordAt(items, 0) === "IMMEDIATE") return { ...call, name: "", ...textIn(items.slice(1)) };
  // `EXEC @result = name`
  const from = first?.kind === "word" && first.text.startsWith("@") && isMark(items[1], "=") ? 2 : 0;
  const name = nameAt(items, from);
  if (/(?:^|\.)SP_(?:EXECUTESQL|PREPEXEC|PREPARE|SQLEXEC)$/.test(name)) {
    const statement = items
      .slice(from)
      .find((item) => item.kind === "string" || (item.kind === "word" && item.text.startsWith("@")));
    return { ...call, name, ...textIn(statement === undefined ? [] : [statement]) };
  }
  return { ...call, name, text: null, isDynamic: name.startsWith("@") || name === "" };
};

/** SQL in a string that is written out; null where it is put together. */
const textIn = (items: readonly Token[]): { readonly text: string | null; readonly isDynamic: boolean } => {
  const [only] = items;
  const isWhole = only?.kind === "string" && (items.length === 1 || wordAt(items, 1) === "USING");
  return { text: isWhole ? only.text : null, isDynamic: !isWhole };
};

const fileOf = (base: Base, head: string, items: readonly Token[]): Statement => {
  const file = { ...base, kind: "file", what: "file" } as const;
  if (head === "LOAD" && wordAt(items, 0) !== "DATA" && wordAt(items, 0) !== "XML") return { ...file, what: "program" };
  if (head === "INSTALL") return { ...file, what: "program" };
  if (head === "ATTACH")
    return items.some((item) => item.kind === "string" && item.text === ":memory:")
      ? { ...base, kind: "session", what: "harmless" }
      : file;
  if (head !== "COPY") return file;
  if (indexOfWord(items, "PROGRAM") !== -1) return { ...file, what: "program" };
  const end = items[indexOfWord(items, directions) + 1];
  if (end?.kind === "word" && (end.text === "STDIN" || end.text === "STDOUT"))
    return { ...base, kind: indexOfWord(items, "FROM") === -1 ? "read" : "insert", reach: "some rows" };
  return file;
};

const hasGroup = (items: readonly Token[]): boolean => items.some(({ kind }) => kind === "group");
