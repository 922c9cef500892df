import { block, escalate } from "../../answers.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import type { Harm, SqlOptions } from "./harm.ts";

/** The rules look at the calls of every tool: what a call holds decides, not its name alone. */
export const everyAction: readonly string[] = Object.freeze(["*"]);

export type DatabaseAnswer = BlockAnswer | EscalateAnswer;

export type Severity = "block" | "escalate";

export interface DatabaseOptions extends SqlOptions {
  /** What becomes of a statement that destroys tables, columns, or databases. */
  readonly destructive: Severity;
  /** What becomes of an UPDATE or DELETE that reaches every row. */
  readonly unbounded: Severity;
  /** What statements may do without a question, each with what stands before it: read, write rows, change the schema. */
  readonly access: "read" | "write" | "schema";
  /** What becomes of a read of all columns of all rows of a table. */
  readonly wholeTables: "pass" | "escalate";
}

const reasons: Readonly<Record<Harm, string>> = {
  destroys: "the SQL destroys what it names, with all data in it",
  all_rows: "the SQL changes every row of a table: no condition narrows it",
  opened_condition: "a condition in the SQL holds for every row, whatever stands beside it",
  foreign_union: "the SQL joins rows of the database's own tables or facts to those of another query",
  stacked: "the SQL reads first, and then changes something in a second statement",
  privilege: "the SQL changes who may do what",
  file: "the SQL reads or writes a file of the database's machine",
  program: "the SQL runs a program, or loads one into the database",
  network: "the SQL lets the database reach another host",
  delay: "the SQL waits: what it says is told by how long it takes",
  server: "the SQL changes the server itself, or ends another's work",
  dynamic: "the SQL runs other SQL that is put together while it runs",
  secrets: "the SQL returns passwords or keys of many rows",
  whole_table: "the SQL reads all columns of all rows",
  changes_rows: "the SQL changes rows",
  changes_schema: "the SQL changes the schema",
  unreadable: "the SQL cannot be read",
};

const always: readonly Harm[] = ["program", "file", "network", "delay", "opened_condition", "foreign_union"];
const asked: readonly Harm[] = ["privilege", "server", "secrets", "stacked", "dynamic", "unreadable"];

/** What is said of these harms; undefined where the options let them pass. */
export const answerFor = (
  harms: ReadonlySet<Harm>,
  place: string,
  options: DatabaseOptions,
): DatabaseAnswer | undefined => {
  if (harms.size === 0) return undefined;
  const attributed = { attributedTo: place };
  const stopped = always.find((harm) => harms.has(harm));
  if (stopped !== undefined) return block(reasons[stopped], attributed);
  const answers: DatabaseAnswer[] = [];
  const add = (harm: Harm, severity: Severity): void => {
    if (harms.has(harm))
      answers.push(severity === "block" ? block(reasons[harm], attributed) : escalate(reasons[harm], attributed));
  };
  add("destroys", options.destructive);
  add("all_rows", options.unbounded);
  for (const harm of asked) add(harm, "escalate");
  if (options.wholeTables === "escalate") add("whole_table", "escalate");
  if (options.access === "read") add("changes_rows", "escalate");
  if (options.access !== "schema") add("changes_schema", "escalate");
  return answers.find(({ kind }) => kind === "block") ?? answers[0];
};

/** Harms of a text that is perhaps not SQL at all: what only reading it as SQL says does not count. */
export const isHarmful = (harms: ReadonlySet<Harm>): boolean =>
  !harms.has("unreadable") &&
  [...harms].some((harm) => !["changes_rows", "changes_schema", "whole_table"].includes(harm));
