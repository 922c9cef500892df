import type { Dialect } from "./dialect.ts";
import { readingsOf, spellings } from "./dialect.ts";
import { powersIn } from "./functions.ts";
import { nodesOf } from "./nodes.ts";
import { isCatalogueOfUsers, isForeignBranch, returnsSecrets } from "./secrets.ts";
import { type Statement, statementOf } from "./statement.ts";
import { NotSql, tokensOf } from "./tokens.ts";

/** Why a text of SQL is held. Closed. */
export type Harm =
  | "destroys"
  | "all_rows"
  | "opened_condition"
  | "foreign_union"
  | "stacked"
  | "privilege"
  | "file"
  | "program"
  | "network"
  | "delay"
  | "server"
  | "dynamic"
  | "secrets"
  | "whole_table"
  | "changes_rows"
  | "changes_schema"
  | "unreadable";

export interface SqlOptions {
  readonly dialect: Dialect | null;
  /** Tables that may be dropped, emptied and changed as a whole: those of tests and of imports. */
  readonly scratchTables: readonly string[];
  /** Tables beside the known ones of which nobody reads all columns of all rows. */
  readonly secretTables: readonly string[];
}

const maxNestedTexts = 4;

/**
 * What a text of SQL would do in any of the databases that could be meant. Where they read it differently, each reading counts;
 * a reading that a database refuses counts for nothing, and where all refuse it, it is `unreadable`.
 */
export const harmsOf = (text: string, options: SqlOptions): ReadonlySet<Harm> => {
  const harms = new Set<Harm>();
  let understood = 0;
  for (const dialect of readingsOf(text, options.dialect)) {
    const own = harmsInReading(text, dialect, options, 0);
    if (own === null || own.has("unreadable")) continue;
    understood++;
    for (const harm of own) harms.add(harm);
  }
  return understood === 0 ? new Set<Harm>(["unreadable"]) : harms;
};

/** Null: a database of this dialect refuses the text. */
const harmsInReading = (text: string, dialect: Dialect, options: SqlOptions, depth: number): Set<Harm> | null => {
  const harms = new Set<Harm>();
  try {
    const tokens = tokensOf(text, spellings[dialect]);
    for (const power of powersIn(tokens)) harms.add(power);
    const statements = nodesOf(tokens).map(statementOf);
    const secretTables = new Set(options.secretTables.map((name) => name.toUpperCase()));
    const reading: Reading = { dialect, options, depth, harms, secretTables };
    for (const statement of statements) add(statement, reading);
    if (depth === 0 && isStacked(statements)) harms.add("stacked");
  } catch (error) {
    if (error instanceof NotSql) return null;
    throw error;
  }
  return harms;
};

interface Reading {
  readonly dialect: Dialect;
  readonly options: SqlOptions;
  readonly depth: number;
  readonly harms: Set<Harm>;
  readonly secretTables: ReadonlySet<string>;
}

const add = (statement: Statement, reading: Reading): void => {
  const { harms, options } = reading;
  const { tables, node } = statement;
  const isScratch = tables.length > 0 && tables.every((table) => listed(table, options.scratchTables));
  if (statement.isOpened) harms.add("opened_condition");
  if (tables.some(isCatalogueOfUsers)) harms.add(statement.kind === "read" ? "secrets" : "privilege");
  switch (statement.kind) {
    case "read": {
      const isUnion = node.within === "union";
      if (isUnion && isForeignBranch(node, tables)) harms.add("foreign_union");
      if ((statement.reach === "all rows" || isUnion) && returnsSecrets(node, tables, reading.secretTables))
        harms.add("secrets");
      if (statement.reach === "all rows" && node.within === "nothing" && node.items[0]?.kind === "mark")
        harms.add("whole_table");
      return;
    }
    case "insert":
      harms.add("changes_rows");
      return;
    case "update":
    case "delete":
      harms.add("changes_rows");
      if (statement.reach === "all rows" && !isScratch) harms.add("all_rows");
      return;
    case "ddl":
      if (statement.isScratch) return;
      harms.add("changes_schema");
      if (statement.what === "destroys" && !isScratch) harms.add("destroys");
      if (statement.what === "weakens") harms.add("privilege");
      return;
    case "privilege":
      harms.add("privilege");
      return;
    case "file":
      harms.add(statement.what);
      return;
    case "procedure":
      addProcedure(statement, reading);
      return;
    case "session":
      if (statement.what === "server" || statement.what === "ends") harms.add("server");
      if (statement.what === "waits") harms.add("delay");
      return;
    case "unknown":
      harms.add("unreadable");
      return;
  }
};

/** Procedures of SQL Server that run programs, or change who may do what. */
const programs = /^(?:MASTER\.(?:DBO)?\.|DBO\.|SYS\.)?(?:XP_|SP_OA|SP_EXECUTE_EXTERNAL_SCRIPT|SP_ADD_JOB|SP_START_JOB)/;
const rights =
  /(?:^|\.)(?:SP_ADDSRVROLEMEMBER|SP_ADDROLEMEMBER|SP_ADDLOGIN|SP_PASSWORD|SP_GRANTDBACCESS|SP_DROPLOGIN|SP_ADDUSER)$/;
const servers = /(?:^|\.)(?:SP_CONFIGURE|SP_ADDLINKEDSERVER|SP_SERVEROPTION|SP_DBOPTION)$/;

const addProcedure = (statement: Extract<Statement, { kind: "procedure" }>, reading: Reading): void => {
  const { harms, dialect, options, depth } = reading;
  const { name, text, isDynamic, node } = statement;
  if (programs.test(name)) harms.add("program");
  if (rights.test(name)) harms.add("privilege");
  if (servers.test(name)) harms.add("server");
  if (/SP_MSFOREACH(?:TABLE|DB)$/.test(name)) harms.add("dynamic");
  const inBody = depth > 0 && node.head === "EXECUTE" && text === null;
  if (isDynamic || inBody) harms.add("dynamic");
  if (node.head === "CREATE") harms.add("changes_schema");
  if (text === null) return;
  const inner = depth >= maxNestedTexts ? null : harmsInReading(text, dialect, options, depth + 1);
  if (inner === null || inner.has("unreadable")) harms.add("dynamic");
  else for (const harm of inner) harms.add(harm);
};

/** A read, and behind it, in the same text and in no transaction, something that changes rows or tables. */
const isStacked = (statements: readonly Statement[]): boolean => {
  const whole = statements.filter(({ node }) => node.within === "nothing");
  if (whole[0]?.kind !== "read" || whole[0].node.head !== "SELECT") return false;
  return whole.some(
    ({ kind, node }) =>
      node.statement > 0 && ["insert", "update", "delete", "ddl", "privilege", "procedure", "file"].includes(kind),
  );
};

/** By whole names, or by a prefix before `*`; in any case. */
export const listed = (table: string, names: readonly string[]): boolean =>
  names.some((name) => {
    const wanted = name.toUpperCase();
    return wanted.endsWith("*") ? table.startsWith(wanted.slice(0, -1)) : table === wanted;
  });
