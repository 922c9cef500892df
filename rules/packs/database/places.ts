import type { WireObject } from "../../../wire/value.ts";
import { remembered } from "../../remembered.ts";
import { textsOf } from "../../scan/texts.ts";
import { toolWords } from "../../tool-words.ts";

/** SQL that a call holds. */
export interface SqlPlace {
  readonly place: string;
  readonly text: string;
  /** The tool is one for SQL, or the argument says so: what cannot be read there is not another language. */
  readonly certain: boolean;
}

/** Words of an action's name that make it a tool for SQL. */
const sqlWords: ReadonlySet<string> = new Set(
  "sql mysql postgres postgresql pg psql sqlite sqlite3 mssql mariadb db database clickhouse duckdb snowflake bigquery redshift oracle supabase".split(
    " ",
  ),
);
/** Words with which a tool that queries something may be meant, and those with which it is not one for a database. */
const queryWords: ReadonlySet<string> = new Set(
  "query queries execute exec run read write statement select".split(" "),
);
const otherWords: ReadonlySet<string> = new Set(
  "search web google bing browser docs doc documents wiki graphql logs log prometheus promql jql jira code file files http fetch url page knowledge memory rag vector mongo mongodb redis elastic elasticsearch cypher neo4j sparql email mail calendar image".split(
    " ",
  ),
);
const sqlNames: ReadonlySet<string> = new Set(["sql", "sqlquery", "sqlstatement", "sqlstring", "rawsql", "sqltext"]);
const queryNames: ReadonlySet<string> = new Set([
  "query",
  "statement",
  "statements",
  "queries",
  "q",
  "stmt",
  "input",
  "querystring",
  "script",
]);

type ActionKind = "sql" | "query" | "other";

const kindOf = remembered((action): ActionKind => {
  const words = toolWords(action);
  return words.some((word) => otherWords.has(word))
    ? "other"
    : words.some((word) => sqlWords.has(word))
      ? "sql"
      : words.some((word) => queryWords.has(word))
        ? "query"
        : "other";
});

const normal = remembered((name) => name.toLowerCase().replaceAll(/[-_]/g, ""));

/** The SQL in the arguments of a call: what a tool for SQL is asked, and arguments named `sql` of any tool. */
export const sqlPlaces = (action: string, args: WireObject): readonly SqlPlace[] => {
  const kind = kindOf(action);
  const found: SqlPlace[] = [];
  for (const { place, text, kind: of, name } of textsOf(args).texts) {
    if (of === "name") continue;
    const called = normal(name);
    if (sqlNames.has(called)) found.push({ place, text, certain: true });
    else if (kind !== "other" && queryNames.has(called))
      found.push({ place, text, certain: kind === "sql" && called !== "script" });
  }
  return found;
};

/** Whether a tool is one for SQL. */
export const isSqlTool = (action: string): boolean => kindOf(action) === "sql";
