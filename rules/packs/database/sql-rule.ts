import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { answerFor, type DatabaseAnswer, type DatabaseOptions, everyAction, isHarmful } from "./answers.ts";
import { sqlPlaces } from "./places.ts";
import type { SqlReader } from "./read-text.ts";
import { isSql } from "./strict-parse.ts";

/** SQL that a call holds: what a tool for SQL is asked, and arguments named `sql`. */
export const sqlRule = (reader: SqlReader, options: DatabaseOptions): DefinedRule =>
  defineRule({
    id: "database.sql",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      let doubt: DatabaseAnswer | undefined;
      const uncertain: { readonly text: string; readonly answer: DatabaseAnswer }[] = [];
      for (const { place, text, certain } of sqlPlaces(action, args)) {
        const harms = reader.harms(text);
        const answer = answerFor(harms, place, options);
        if (answer === undefined || (!certain && !isHarmful(harms))) continue;
        if (!certain) uncertain.push({ text, answer });
        else if (answer.kind === "block") return answer;
        else doubt ??= answer;
      }
      return uncertain.length === 0 ? doubt : doubtful(uncertain, doubt);
    },
    examples: sqlExamples(options),
  });

/** Texts of tools that query something: a sentence is not held because it could be read as SQL. */
const doubtful = async (
  texts: readonly { readonly text: string; readonly answer: DatabaseAnswer }[],
  doubt: DatabaseAnswer | undefined,
): Promise<DatabaseAnswer | undefined> => {
  for (const { text, answer } of texts) if (await isSql(text)) return answer;
  return doubt;
};

const of = (sql: string) => ({ action: "execute_sql", args: { sql } });

const sqlExamples = ({ destructive, unbounded, access, wholeTables, scratchTables }: DatabaseOptions) => {
  const writes = access === "read" ? "escalate" : "silent";
  return [
    {
      event: of("SELECT id, total FROM orders WHERE customer_id = 7"),
      expect: "silent",
    },
    ...(scratchTables.length === 0
      ? ([
          { event: of("DROP TABLE users"), expect: destructive },
          { event: of("DELETE FROM users WHERE 1=1"), expect: unbounded },
        ] as const)
      : []),
    ...(wholeTables === "pass" ? [] : ([{ event: of("SELECT * FROM orders"), expect: "escalate" }] as const)),
    { event: of("DELETE FROM sessions WHERE expires_at < now()"), expect: writes },
    { event: of("COPY t FROM PROGRAM 'id'"), expect: "block" },
    { event: of("SELECT * FROM users WHERE name = '' OR 1=1"), expect: "block" },
    { event: of("INSERT INTO notes (body) VALUES ('DROP TABLE users;')"), expect: writes },
    { event: of("SELECT 'unterminated"), expect: "escalate" },
  ] as const;
};
