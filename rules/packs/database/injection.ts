import { isHarmful } from "./answers.ts";
import { type BreakOut, breakOutsOf, endsValue } from "./break-out.ts";
import { condensed } from "./condensed.ts";
import { hasFixedComparison } from "./condition.ts";
import { spellings } from "./dialect.ts";
import { indexOfWord, isMark } from "./nodes.ts";
import type { SqlReader } from "./read-text.ts";
import { isForeignBranch } from "./secrets.ts";
import { isSql } from "./strict-parse.ts";
import { NotSql, type Token, tokensOf } from "./tokens.ts";

/** Without one of these no text breaks out of a value: a cheap yes or no for every text of a call. */
const possible = /['"＇＂`;]|--|%(?:25)?2[27]|\b(?:or|and|union|having)\b|^\s{0,8}-?[0-9]{1,18}\s{0,8}[|&=;)]/i;

/** Characters and signs that a server may read as others: only with these there is more than one spelling. */
const spelled = /[%?‘’ʼ\uff00-\uffef]/;

/** Whether a text could be one that breaks out of a statement: cheap, and linear in its length. */
export const maybeInjection = (text: string): boolean =>
  text.length >= 4 &&
  possible.test(text) &&
  (spelled.test(text) ? spellingsOf(text) : [text]).some(
    (spelt) => endsValue(spelt) || spelt.search(unionSelect) !== -1,
  );

/** `unread`: it goes on as SQL, and longer than a grammar is asked about. */
export type Injection = "yes" | "no" | "unread";

/** Whether a text, put into a statement by a careless program, would change what the statement does. */
export const injectionIn = async (text: string, reader: SqlReader): Promise<Injection> => {
  let unread = false;
  for (const spelt of spellingsOf(text)) {
    for (const breakOut of breakOutsOf(spelt)) {
      if (await isMeant(breakOut, reader)) return "yes";
      unread ||= !breakOut.isWhole && !isProse(breakOut.rest);
    }
    const union = await unionIn(spelt);
    if (union === "yes") return union;
    unread ||= union === "unread";
  }
  return unread ? "unread" : "no";
};

const keyWords: ReadonlySet<string> = new Set(
  "select from where and or not in is null union all distinct like between case when then else end as on join left right inner outer order group by having limit offset exists into values set insert update delete".split(
    " ",
  ),
);

/** Four words in a row that are no key words are a sentence. */
const isProse = (text: string): boolean => {
  let row = 0;
  for (const [, word, gap] of text.matchAll(/([A-Za-z']{1,64})([^A-Za-z']{0,64})/g)) {
    row = keyWords.has((word ?? "").toLowerCase()) ? 0 : row + 1;
    if (row >= 4) return true;
    if (!/^[\s,.:"]{1,3}$/.test(gap ?? "")) row = 0;
  }
  return false;
};

/** As it is, with wide characters as plain ones, and with percent signs decoded once and twice; values of a query string singly. */
const spellingsOf = (text: string): readonly string[] => {
  const found = new Set([text, text.normalize("NFKC").replaceAll(/[‘’ʼ＇]/g, "'")]);
  if (text.includes("%")) {
    const once = decoded(text);
    found.add(once);
    found.add(decoded(once));
  }
  const query = text.indexOf("?");
  if (query !== -1 && text.includes("=", query))
    for (const pair of text
      .slice(query + 1)
      .split("&")
      .slice(0, maxPairs)) {
      const value = pair.slice(pair.indexOf("=") + 1).replaceAll("+", " ");
      found.add(decoded(value));
      found.add(decoded(decoded(value)));
    }
  return [...found];
};

/** More than any server takes. */
const maxPairs = 4_096;

const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9A-Fa-f]{2}){1,1024}/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

const isMeant = async ({ statement, rest, isCut }: BreakOut, reader: SqlReader): Promise<boolean> => {
  // `admin'--`: nothing but the comment.
  if (isCut && /^[\s);]{0,32}$/.test(rest)) return true;
  const tokens = read(rest);
  const harms = reader.harms(statement);
  if (!(await isSql(statement))) {
    // What only another database than MySQL takes: a second statement that is one by its own words.
    return (
      /^[\s)'"]{0,32};/.test(rest) &&
      (harms.has("program") || harms.has("delay") || harms.has("dynamic") || harms.has("server"))
    );
  }
  if (isHarmful(harms))
    return isHarmful(new Set([...harms].filter((harm) => harm !== "opened_condition"))) || isWritten(rest);
  if (tokens === null) return false;
  if (indexOfWord(tokens, selects) !== -1 || hasGroupedSelect(tokens)) return true;
  if (isCut && indexOfWord(tokens, probes) !== -1) return true;
  return hasFixedComparison(tokens) && isWritten(rest);
};

const selects: ReadonlySet<string> = new Set(["SELECT", "UNION"]);
const probes: ReadonlySet<string> = new Set(["ORDER", "GROUP", "HAVING", "LIMIT", "PROCEDURE"]);

/** `1 or 2` is what people write; a condition compares, or says `true`. */
const isWritten = (rest: string): boolean => /[=<>]|\b(?:true|false|like|between|in|is|not|null)\b/i.test(rest);

const read = (text: string): readonly Token[] | null => {
  try {
    return tokensOf(text.replace(/^[\s)]{0,64}/, ""), spellings.mysql);
  } catch (error) {
    if (error instanceof NotSql) return null;
    throw error;
  }
};

const hasGroupedSelect = (tokens: readonly Token[]): boolean =>
  tokens.some(
    (token) => token.kind === "group" && (indexOfWord(token.tokens, "SELECT") === 0 || hasGroupedSelect(token.tokens)),
  );

const unionSelect =
  /\bunion\b(?:\s|\/\*[^*]{0,128}\*\/|\+){1,512}(?:(?:all|distinct)(?:\s|\/\*[^*]{0,128}\*\/|\+){1,512})?\(?select\b/gi;
/** Sentences in which a union selects something are tried up to here. */
const maxUnions = 16;

/**
 * A bare word and UNION SELECT behind it. "Western union select committee" is that too, so what is selected must be what a
 * sentence does not have: all columns, several, a number, a function, or a table of the database itself.
 */
const unionIn = async (text: string): Promise<Injection> => {
  let left = maxUnions;
  for (const { index } of text.matchAll(unionSelect)) {
    if (--left < 0) return "unread";
    if (await isUnionBranch(condensed(text.slice(index, index + 65_536)).text)) return "yes";
  }
  return "no";
};

const isUnionBranch = async (text: string): Promise<boolean> => {
  const branch = text.replace(/(?:--|#)[^\n]{0,512}$/, "").replaceAll(/[;)'"\s]{1,16}$/g, "");
  const tokens = read(branch);
  if (tokens === null) return false;
  const select = indexOfWord(tokens, "SELECT");
  const items = tokens.slice(select + 1);
  const end = indexOfWord(items, "FROM");
  const list = end === -1 ? items : items.slice(0, end);
  const isTelling =
    list.some(
      (item) =>
        isMark(item, "*") ||
        isMark(item, ",") ||
        item.kind === "number" ||
        item.kind === "group" ||
        item.kind === "string",
    ) ||
    list.some(
      (item) =>
        item.kind === "word" && (item.text === "NULL" || item.text.startsWith("@@") || secretWord.test(item.text)),
    ) ||
    isForeignBranch({ head: "SELECT", items, within: "union", statement: 0 }, []);
  return isTelling && (await isSql(`SELECT a FROM t WHERE c = 1 ${branch}`));
};

const secretWord = /^(?:PASSWORD|PASSWD|PWD|SECRET|API_KEY|TOKEN|HASH|USERNAME)/;
