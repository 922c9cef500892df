import type { WireObject, WireValue } from "../../../wire/value.ts";
import { isDocument } from "../../scan/documents.ts";
import { textsOf } from "../../scan/texts.ts";

/** Operators of MongoDB with which a program is run in the database. */
const programs: ReadonlySet<string> = new Set(["$where", "$function", "$accumulator"]);
const operators: ReadonlySet<string> = new Set(
  "$gt $gte $lt $lte $ne $eq $nin $in $exists $regex $not $or $and $nor $type $where $function $accumulator $expr $jsonSchema $text $mod $size $all $elemMatch".split(
    " ",
  ),
);
/** Members whose value is compared to what somebody types, and never by an operator. */
const credentials =
  /^(?:password|passwd|pass|pwd|passphrase|secret|token|api[_-]?key|auth|otp|pin|access[_-]?token|reset[_-]?token|session(?:[_-]?id)?|username|user[_-]?name|login)$/i;

export type OperatorHarm = "program" | "always";

/**
 * Operators of MongoDB where a value is expected: in a member that holds a credential, as JSON in a text, or as the brackets
 * of a query string (`password[$ne]=`). Filters of tools for MongoDB are full of operators; there only programs are found.
 */
export const operatorsIn = (
  args: WireObject,
  isStore: boolean,
): { readonly place: string; readonly harm: OperatorHarm } | null => {
  for (const { place, text, kind, name, beside } of textsOf(args).texts) {
    if (kind === "name") {
      if (text.charCodeAt(0) === 0x24 && programs.has(text)) return { place, harm: "program" };
      if (!isStore && credentials.test(text) && isOperator(beside?.[text])) return { place, harm: "always" };
      // A value of its own argument is what somebody typed; a filter is told by its name, and has members.
      if (!isStore && place === text && isOperator(beside?.[text]) && fulfilled.test(JSON.stringify(beside?.[text])))
        return { place, harm: "always" };
      if (text.includes("[$") && bracketed.test(text)) return { place, harm: "always" };
    } else if (text.includes("$") && !isDocument(name)) {
      const harm = harmInText(text);
      if (harm === "program" || (harm !== null && !isStore)) return { place, harm };
    }
  }
  return null;
};

const isOperator = (value: WireValue | undefined): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array) &&
  Object.keys(value).some((key) => operators.has(key));

const bracketed = /\[\$(?:gte?|lte?|ne|nin|in|exists|regex|not|or|where|type)\]/;
/** `{"$gt": ""}`, `{$ne: null}`, also in a text that is no JSON: an operator whose condition everything fulfils. */
const fulfilled =
  /["']?\$(?:gte?|ne|nin|exists|regex|not|where|function|accumulator)["']?\s{0,4}:\s{0,4}(?:""|''|null|undefined|true|-?[01]\b|"\.\*"|'\.\*'|"\^"|'\^'|\[\s{0,4}\]|\{\s{0,4}\}|"[\^.]|\/\.\*\/|"this\.|'this\.|"function|'function|"sleep|'sleep|"return|'return|function)/;
const runs = /["']?\$(?:where|function|accumulator)["']?\s{0,4}:/;

const harmInText = (text: string): OperatorHarm | null => {
  if (runs.test(text)) return "program";
  if (fulfilled.test(text) || bracketed.test(text)) return "always";
  return null;
};
