import { isMark } from "./nodes.ts";
import type { Token } from "./tokens.ts";

/** What a condition says of the rows: all, none, or some. `some` is also what cannot be told. */
export type Truth = "always" | "never" | "some";

export interface Condition {
  readonly truth: Truth;
  /** One side of an OR holds for every row, whatever the other side says: `name = '' OR 1=1`. */
  readonly isOpened: boolean;
}

/** Reads the condition behind WHERE, ON or HAVING. A condition that names no column cannot tell rows apart. */
export const conditionOf = (items: readonly Token[]): Condition => {
  const opened = { isOpened: false };
  return { truth: anyOf(items, opened), isOpened: opened.isOpened };
};

interface Opened {
  isOpened: boolean;
}

const anyOf = (items: readonly Token[], opened: Opened): Truth => {
  const sides = splitAt(items, ["OR", "XOR"]);
  if (sides.length === 1) return allOf(items, opened);
  const truths = sides.map((side) => allOf(side, opened));
  const always = truths.includes("always") || coversAll(sides);
  // What is compared must be written out: `1 or 2` in a text is not a condition.
  if ((always && truths.some((truth) => truth !== "always")) || sides.some(hasLiteralEquality)) opened.isOpened = true;
  if (always) return "always";
  return truths.every((truth) => truth === "never") ? "never" : "some";
};

/** `'a'='a'` beside other conditions: no program writes that. */
const hasLiteralEquality = (side: readonly Token[]): boolean =>
  splitAt(side, ["AND"]).some((part) => {
    const [left, equals, right] = part;
    return (
      part.length === 3 &&
      left?.kind === "string" &&
      isMark(equals, "=") &&
      right?.kind === "string" &&
      left.text === right.text
    );
  });

const allOf = (items: readonly Token[], opened: Opened): Truth => {
  const sides = splitAt(items, ["AND"]);
  const truths = sides.map((side) => notOf(side, opened));
  if (truths.includes("never")) return "never";
  return truths.every((truth) => truth === "always") ? "always" : "some";
};

const notOf = (items: readonly Token[], opened: Opened): Truth => {
  let from = 0;
  for (let item = items[0]; (item?.kind === "word" && item.text === "NOT") || isMark(item, "!"); item = items[from])
    from++;
  const rest = from === 0 ? items : items.slice(from);
  const [first] = rest;
  if (first === undefined) return "some";
  const truth = rest.length === 1 && first.kind === "group" ? anyOf(first.tokens, opened) : predicate(rest);
  if (from % 2 === 0 || truth === "some") return truth;
  return truth === "always" ? "never" : "always";
};

/** `x IS NULL OR x IS NOT NULL`, `x = 1 OR x <> 1`: together every row. */
const coversAll = (sides: readonly (readonly Token[])[]): boolean => {
  const seen = new Set<string>();
  for (const side of sides.slice(0, 64)) {
    const comparison = comparisonOf(side);
    if (comparison === null) continue;
    const { left, operator, right } = comparison;
    const opposite = opposites[operator];
    if (opposite !== undefined && seen.has(`${keyOf(left)} ${opposite} ${keyOf(right)}`)) return true;
    seen.add(`${keyOf(left)} ${operator} ${keyOf(right)}`);
  }
  return false;
};

const opposites: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "!=": "=",
  IS: "IS NOT",
  "IS NOT": "IS",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

const splitAt = (items: readonly Token[], words: readonly string[]): readonly (readonly Token[])[] => {
  const parts: Token[][] = [[]];
  let cases = 0;
  let between = false;
  for (const item of items) {
    const word = item.kind === "word" ? item.text : "";
    if (word === "CASE") cases++;
    else if (word === "END" && cases > 0) cases--;
    else if (word === "BETWEEN") between = true;
    else if (cases === 0 && word === "AND" && between) between = false;
    else if (cases === 0 && (words.includes(word) || (words.includes("AND") && isMark(item, "&&")))) {
      parts.push([]);
      continue;
    }
    parts.at(-1)!.push(item);
  }
  return parts;
};

const comparisons: ReadonlySet<string> = new Set(["=", "==", "<=>", "<>", "!=", "<", ">", "<=", ">="]);
const wordComparisons: ReadonlySet<string> = new Set("LIKE ILIKE RLIKE REGEXP GLOB SIMILAR IS IN BETWEEN".split(" "));

interface Comparison {
  readonly left: readonly Token[];
  readonly operator: string;
  readonly right: readonly Token[];
}

const comparisonOf = (items: readonly Token[]): Comparison | null => {
  for (const [at, item] of items.entries()) {
    const isOne =
      (item.kind === "mark" && comparisons.has(item.text)) || (item.kind === "word" && wordComparisons.has(item.text));
    if (!isOne) continue;
    const next = items[at + 1];
    const previous = items[at - 1];
    if (previous?.kind === "word" && previous.text === "NOT")
      return { left: items.slice(0, at - 1), operator: `NOT ${item.text}`, right: items.slice(at + 1) };
    if (item.text === "IS" && next?.kind === "word" && next.text === "NOT")
      return { left: items.slice(0, at), operator: "IS NOT", right: items.slice(at + 2) };
    return { left: items.slice(0, at), operator: item.text, right: items.slice(at + 1) };
  }
  return null;
};

const reflexive: ReadonlySet<string> = new Set(["=", "==", "<=>", "<=", ">=", "LIKE", "ILIKE", "IS", "GLOB"]);
/** Names of columns whose values are positive and present by what they are. */
const identities: ReadonlySet<string> = new Set(["ID", "ROWID", "UUID", "PK"]);

const predicate = (items: readonly Token[]): Truth => {
  const comparison = comparisonOf(items);
  if (comparison === null) return isFixed(items) ? constantTruth(items) : existsTruth(items);
  const { left, operator, right } = comparison;
  if (isFixed(items)) return compareConstants(left, operator, right);
  if (left.length > 0 && keyOf(left) === keyOf(right) && isColumn(left)) {
    if (reflexive.has(operator)) return "always";
  }
  if (operator === "IN" && right.length === 1 && right[0]?.kind === "group" && isColumn(left)) {
    if (splitCommas(right[0].tokens).some((item) => keyOf(item) === keyOf(left))) return "always";
  }
  if (matchesAll(operator, right)) return "always";
  const name = lastName(left);
  if (name === null || !identities.has(name)) return "some";
  const bound = keyOf(right);
  if (operator === "IS NOT" && bound === "NULL") return "always";
  if ((operator === ">" || operator === ">=") && ["0", "-1", "- 1"].includes(bound)) return "always";
  if ((operator === "<>" || operator === "!=") && ["0", "-1", "- 1", "''"].includes(bound)) return "always";
  return "some";
};

const matchesAll = (operator: string, right: readonly Token[]): boolean => {
  const only = right.length === 1 ? right[0] : undefined;
  if (only?.kind !== "string" && only?.kind !== "name") return false;
  if (operator === "LIKE" || operator === "ILIKE") return only.text !== "" && /^%{1,100}$/.test(only.text);
  if (operator === "GLOB") return only.text === "*";
  return (operator === "REGEXP" || operator === "RLIKE") && ["", ".*", "^", "$", "."].includes(only.text);
};

/** `EXISTS (SELECT 1)`: of no table. */
const existsTruth = (items: readonly Token[]): Truth => {
  const [first, group] = items;
  if (items.length !== 2 || first?.kind !== "word" || first.text !== "EXISTS" || group?.kind !== "group") return "some";
  return group.tokens.some((token) => token.kind === "word" && token.text === "FROM") ? "some" : "always";
};

/** Whether a part between AND and OR compares constants with each other: `1=1`, `'a'='b'`. Nobody asks that of rows. */
export const hasFixedComparison = (items: readonly Token[]): boolean =>
  splitAt(items, ["OR", "AND", "XOR"]).some(
    (part) =>
      ((comparisonOf(part)?.left.length ?? 0) > 0 && isFixed(part)) ||
      (part.length === 1 && part[0]?.kind === "group" && hasFixedComparison(part[0].tokens)),
  );

/** Words that are not columns; other bare words are. */
const constantWords: ReadonlySet<string> = new Set(
  "TRUE FALSE NULL NOT LIKE ILIKE RLIKE REGEXP GLOB IS IN BETWEEN AND DIV MOD AS ESCAPE COLLATE INTERVAL BINARY".split(
    " ",
  ),
);
/** Functions that say something else at each row although they name none. */
const changing: ReadonlySet<string> = new Set("RANDOM RAND NEWID UUID GEN_RANDOM_UUID UUID_GENERATE_V4".split(" "));

/** Whether it names no column, no variable, no parameter and no table. */
const isFixed = (items: readonly Token[]): boolean =>
  items.length > 0 &&
  items.every((item, at) => {
    if (item.kind === "parameter") return false;
    // MySQL takes double quotes for a string; a name in them beside a string says nothing else of the rows.
    if (item.kind === "name") return false;
    if (item.kind === "group") return item.tokens.length === 0 || isFixed(item.tokens);
    if (item.kind !== "word") return true;
    if (constantWords.has(item.text)) return true;
    return items[at + 1]?.kind === "group" && !changing.has(item.text);
  });

const constantTruth = (items: readonly Token[]): Truth => {
  const value = literalOf(items);
  if (value === undefined) return "always";
  if (value === null || value === false || value === 0) return "never";
  if (typeof value === "string")
    return /^\s{0,9}[+-]?[0-9.]{1,40}/.test(value) && Number.parseFloat(value) !== 0 ? "always" : "never";
  return "always";
};

type Constant = string | number | boolean | null;

/** The value of one literal; undefined for anything else. */
const literalOf = (items: readonly Token[]): Constant | undefined => {
  const [only] = items;
  if (items.length !== 1 || only === undefined) return undefined;
  if (only.kind === "string") return only.text;
  if (only.kind === "number") return Number(only.text);
  if (only.kind === "group") return literalOf(only.tokens);
  if (only.kind !== "word") return undefined;
  return only.text === "TRUE" ? true : only.text === "FALSE" ? false : only.text === "NULL" ? null : undefined;
};

const compareConstants = (left: readonly Token[], operator: string, right: readonly Token[]): Truth => {
  const a = literalOf(left);
  const b = literalOf(right);
  // Not worked out: of constants only, so it holds for all rows or for none, and whoever wrote it wants one of these.
  if (a === undefined || b === undefined) return "always";
  if (a === null || b === null) return operator === "IS" && a === b ? "always" : "never";
  if (operator === "LIKE" && typeof a === "string" && typeof b === "string")
    return a === b || b.includes("%") ? "always" : "never";
  const same = String(a).toLowerCase() === String(b).toLowerCase() || Number(a) === Number(b);
  if (["=", "==", "<=>", "IS"].includes(operator)) return same ? "always" : "never";
  if (["<>", "!=", "IS NOT"].includes(operator)) return same ? "never" : "always";
  const [x, y] = typeof a === "string" && typeof b === "string" ? [a, b] : [Number(a), Number(b)];
  const holds =
    operator === "<"
      ? x < y
      : operator === ">"
        ? x > y
        : operator === "<="
          ? x <= y
          : operator === ">="
            ? x >= y
            : true;
  return holds ? "always" : "never";
};

const isColumn = (items: readonly Token[]): boolean => lastName(items) !== null;

const lastName = (items: readonly Token[]): string | null => {
  const last = items.at(-1);
  if (last?.kind !== "word" && last?.kind !== "name") return null;
  return items.slice(0, -1).every((item) => item.kind === "word" || item.kind === "name" || isMark(item, "."))
    ? last.text.toUpperCase()
    : null;
};

const splitCommas = (items: readonly Token[]): readonly (readonly Token[])[] => {
  const parts: Token[][] = [[]];
  for (const item of items)
    if (isMark(item, ",")) parts.push([]);
    else parts.at(-1)!.push(item);
  return parts;
};

/** Tokens as one text, to compare them by. */
const keyOf = (items: readonly Token[]): string => items.map(keyOfToken).join(" ");
const keyOfToken = (token: Token): string => {
  if (token.kind === "group") return `(${keyOf(token.tokens)})`;
  if (token.kind === "string") return `'${token.text}'`;
  return token.kind === "name" ? token.text.toUpperCase() : token.text;
};
