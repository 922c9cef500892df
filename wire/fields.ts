import { Buffer } from "node:buffer";
import { WireError } from "./errors.ts";
import { printableNames } from "./printable-name.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** Checks of single fields, shared by requests and answers. Each throws `WireError` with code `bad_request`, with the request's id. */
export const refuse = (message: string, id: string): never => {
  throw new WireError("bad_request", message, id);
};

export const isObject = (json: JsonValue | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** A key that the object has itself: a polluted Object.prototype supplies none. */
export const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

export const fitsBytes = (text: string, maxBytes: number): boolean =>
  // A UTF-16 unit is at most three bytes of UTF-8.
  text.length * 3 <= maxBytes || Buffer.byteLength(text, "utf8") <= maxBytes;

/** `what` names the kind of key in the message: `unknown event key(s): a, b`. */
export const onlyKeys = (object: JsonObject, allowed: readonly string[], what: string, id: string): void => {
  const unknown = Object.keys(object).filter((key) => !allowed.includes(key));
  if (unknown.length > 0) refuse(`unknown ${what} key(s): ${printableNames(unknown)}`, id);
};

export const nonEmptyString = (json: JsonValue | undefined, where: string, maxBytes: number, id: string): string => {
  if (typeof json !== "string" || json === "") return refuse(`${where} must be a non-empty string`, id);
  if (!fitsBytes(json, maxBytes)) return refuse(`${where} must be at most ${maxBytes} bytes`, id);
  return json;
};

export const stringOrNull = (
  json: JsonValue | undefined,
  where: string,
  maxBytes: number,
  id: string,
): string | null => {
  if (json === null || json === undefined) return null;
  if (typeof json !== "string") return refuse(`${where} must be a string or null`, id);
  if (!fitsBytes(json, maxBytes)) return refuse(`${where} must be at most ${maxBytes} bytes`, id);
  return json;
};

export const wholeNumber = (json: JsonValue | undefined, where: string, id: string): number =>
  Number.isSafeInteger(json) && (json as number) >= 0
    ? (json as number)
    : refuse(`${where} must be a whole number`, id);

export const objectField = (json: JsonValue | undefined, where: string, id: string): JsonObject =>
  isObject(json) ? json : refuse(`${where} must be a JSON object`, id);
