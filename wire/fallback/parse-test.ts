import { isObject, own } from "../fields.ts";
import type { JsonValue } from "../value.ts";
import { isPlainPath } from "./path-place.ts";
import type { ArgumentTest } from "./policy.ts";
import { keysOf, listOf, refuse, textAt } from "./refuse-policy.ts";

/** `{prefix: [...]}`, `{one_of: [...]}`, or `{min, max, integer}`: exactly one of the three. */
export const parseTest = (json: JsonValue | undefined, at: string): ArgumentTest => {
  if (!isObject(json)) return refuse(at, 'must be an object such as {"one_of":["ro"]}');
  if (Object.hasOwn(json, "prefix")) {
    keysOf(json, ["prefix"], at);
    return Object.freeze({ kind: "prefix", directories: listOf(own(json, "prefix"), `${at}.prefix`, directory) });
  }
  if (Object.hasOwn(json, "one_of")) {
    keysOf(json, ["one_of"], at);
    return Object.freeze({ kind: "one_of", values: listOf(own(json, "one_of"), `${at}.one_of`, scalar) });
  }
  keysOf(json, ["integer", "max", "min"], at);
  const min = bound(own(json, "min"), `${at}.min`);
  const max = bound(own(json, "max"), `${at}.max`);
  if (min === null && max === null) return refuse(at, "needs one of prefix, one_of, min, max");
  if (min !== null && max !== null && min > max) return refuse(at, "has a min above its max");
  const integer = own(json, "integer") ?? false;
  if (typeof integer !== "boolean") return refuse(`${at}.integer`, "must be true or false");
  return Object.freeze({ kind: "number", min, max, integer });
};

/** Ends in `/`, so that `/srv` is not taken for the beginning of `/srv-old`. */
const directory = (json: JsonValue, at: string): string => {
  const text = textAt(json, at);
  if (!text.endsWith("/")) return refuse(at, "must end in /");
  return isPlainPath(text) ? text : refuse(at, "must have no empty segment, no . and no .., no backslash and no NUL");
};

const scalar = (json: JsonValue, at: string): string | number | boolean => {
  if (typeof json === "number" || typeof json === "boolean") return json;
  if (typeof json !== "string") return refuse(at, "must be a text, a number, true or false");
  return json === "" ? json : textAt(json, at);
};

const bound = (json: JsonValue | undefined, at: string): number | null => {
  if (json === undefined) return null;
  return typeof json === "number" ? json : refuse(at, "must be a number");
};
