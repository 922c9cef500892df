import { isMark, type Node } from "./nodes.ts";
import type { Token } from "./tokens.ts";

export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** What may stand behind a condition or a list of tables. */
export const conditionEnds: ReadonlySet<string> = words(
  "GROUP ORDER LIMIT OFFSET FETCH HAVING RETURNING UNION EXCEPT INTERSECT MINUS WINDOW FOR OPTION QUALIFY WHEN INTO ON LOCK",
);

export const isNamed = (item: Token | undefined): item is Extract<Token, { readonly text: string }> =>
  item?.kind === "word" || item?.kind === "name";

/** A dotted name at `at`, in upper case; `MASTER..XP_CMDSHELL` with its empty schema. */
export const nameAt = (items: readonly Token[], at: number): string => {
  let name = "";
  for (const item of items.slice(at, at + 8)) {
    if (isNamed(item) && (name === "" || name.endsWith("."))) name += item.text.toUpperCase();
    else if (item.kind === "mark" && (item.text === "." || item.text === "..")) name += item.text;
    else break;
  }
  return name;
};

const tableWords: ReadonlySet<string> = words("FROM JOIN INTO UPDATE TABLE ONLY USING EXISTS OVERWRITE");
const notTables: ReadonlySet<string> = words("SELECT IF ONLY LATERAL UNNEST VALUES OUTFILE DUMPFILE SET");

/** What stands behind FROM, JOIN, INTO and the like, and behind the commas between tables. */
export const tablesOf = ({ head, items }: Node): readonly string[] => {
  const found = new Set<string>();
  let isList = head === "UPDATE" || head === "TRUNCATE" || head === "FROM" || head === "TABLE";
  for (let at = isList ? -1 : 0; at < items.length && found.size < 256; at++) {
    const item = items[at];
    if (item?.kind === "word" && tableWords.has(item.text)) isList = item.text !== "UPDATE";
    else if (item?.kind === "word" && (item.text === "WHERE" || item.text === "SET" || conditionEnds.has(item.text)))
      isList = false;
    else if (!(at === -1 || (isList && isMark(item, ",")))) continue;
    const name = nameAt(items, at + 1);
    if (name !== "" && !notTables.has(name)) found.add(name);
  }
  return [...found];
};
