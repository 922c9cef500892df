import { locOf } from "../../../rules/contracts/argument-path.ts";
import { isObject } from "../../../wire/fields.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { quotedText } from "./safe-text.ts";

/**
 * Arguments as JSON in one line. What is kept from view is `<redacted>`, without quotes: no argument can write that, as a text
 * of its own stands in quotes.
 */
export const argumentsText = (args: JsonObject, redacted: readonly string[]): string =>
  textOf(args, "", new Set(redacted));

const textOf = (value: JsonValue, loc: string, redacted: ReadonlySet<string>): string => {
  if (redacted.has(loc)) return "<redacted>";
  if (typeof value === "string") return quotedText(value);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item, index) => textOf(item, locOf(loc, index), redacted));
    return `[${items.join(", ")}]`;
  }
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${quotedText(name)}: ${textOf(item, locOf(loc, name), redacted)}`,
  );
  return `{${members.join(", ")}}`;
};
