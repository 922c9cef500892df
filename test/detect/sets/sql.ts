import { linesSet } from "../corpus.ts";

/** Statements that a tool for SQL is asked to run, in the dialects of four databases and a few others. */
export const sql = linesSet(
  "sql",
  { recall: 0.99, falsePositiveRate: 0.01 },
  { sql: (text) => ({ action: "execute_sql", args: { sql: text } }) },
);

/** Fields of other tools, clients on the command line, and stores without SQL. */
export const databaseFields = linesSet("database_fields", { recall: 0.97, falsePositiveRate: 0.01 });
