import { listOf, oneOf, orNull, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import type { DatabaseOptions } from "./answers.ts";
import { commandsRule } from "./commands-rule.ts";
import { injectionRule } from "./injection-rule.ts";
import { sqlReader } from "./read-text.ts";
import { findingsOf } from "./scan.ts";
import { sqlRule } from "./sql-rule.ts";
import { storesRule } from "./stores-rule.ts";

export type { DatabaseOptions } from "./answers.ts";

const starter: DatabaseOptions = Object.freeze({
  dialect: null,
  destructive: "escalate",
  unbounded: "escalate",
  access: "schema",
  wholeTables: "pass",
  scratchTables: Object.freeze([]),
  secretTables: Object.freeze([]),
});

/** SQL, in tools for SQL and on the command line, injections of it in other fields, and MongoDB, Redis and Elasticsearch. */
export const database = definePack<DatabaseOptions>({
  id: "database",
  notes: {
    title: "Statements that destroy, open, or leave a database, and texts that would break out of a statement",
    stops: [
      "DROP, TRUNCATE, and ALTER that drops a column or a partition; temporary tables may go.",
      "UPDATE and DELETE without a condition, or with one that holds for every row: WHERE 1=1, id = id, name LIKE '%', id > 0.",
      "GRANT, REVOKE, users, roles, owners, passwords, and tables in which databases keep them.",
      "Files, programs, other hosts and delays: COPY ... PROGRAM, INTO OUTFILE, LOAD DATA, pg_read_file, xp_cmdshell, dblink, ATTACH, load_extension, pg_sleep.",
      "A read with a second statement that changes something behind it, and SQL that is put together while it runs.",
      "Reads of password and key columns of all rows.",
      "The same on the command line: psql -c, mysql -e, sqlite3, sqlcmd -Q, duckdb, mongosh --eval, redis-cli, also through docker exec and pipes from echo.",
      'In fields of any tool: texts that end a value and go on as SQL. A grammar decides, so O\'Brien and "union select committee" pass.',
      "MongoDB: $where, $function, operators in place of a password, deleteMany({}), dropDatabase. Redis: FLUSHALL, CONFIG SET, EVAL. Elasticsearch: _delete_by_query of everything.",
    ],
    cannot: [
      "It does not know the schema: a condition that happens to fit every row passes (WHERE created_at < '2100-01-01').",
      "Scripts in files (psql -f, .read) are not read; the commands and paths packs judge the files.",
      "Documents are not searched for injections: arguments named content, text, body, code and the like.",
      "A function or procedure of your own may do anything; its definition is judged, a call of it is not.",
    ],
    tune: [
      "Set dialect where only one database is meant: what another one would run no longer counts.",
      "List tables of tests and imports in scratchTables, with * at the end for a prefix; they may be dropped and emptied.",
      'access: "read" asks about every change; "write" about changes of the schema.',
    ],
  },
  options: {
    dialect: {
      what: "how statements are read; null reads them in each way that could be meant",
      takes: orNull(oneOf("postgresql", "mysql", "sqlite", "sqlserver")),
    },
    destructive: {
      what: "what becomes of DROP, TRUNCATE and dropped columns",
      takes: oneOf("block", "escalate"),
    },
    unbounded: { what: "what becomes of UPDATE and DELETE of all rows", takes: oneOf("block", "escalate") },
    access: {
      what: "what is done without a question, each with what stands before it: read, write rows, change the schema",
      takes: oneOf("read", "write", "schema"),
    },
    wholeTables: {
      what: "what becomes of SELECT * without a condition or a limit",
      takes: oneOf("escalate", "pass"),
    },
    scratchTables: { what: "tables that may be dropped and changed as a whole", takes: listOf(text) },
    secretTables: { what: "tables of which nobody reads all columns of all rows", takes: listOf(text) },
  },
  tiers: {
    starter,
    strict: Object.freeze({
      ...starter,
      destructive: "block",
      unbounded: "block",
      access: "read",
      wholeTables: "escalate",
    }),
  },
  rules: (options) => {
    const reader = sqlReader(options);
    return [sqlRule(reader, options), commandsRule(reader, options), storesRule(options), injectionRule(reader)];
  },
  // What came back goes into no statement.
  scan: (value, phase, options) => (phase === "call" ? findingsOf(value, sqlReader(options)) : []),
});
