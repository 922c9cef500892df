import { isPlainObject as isPlain } from "../wire/plain.ts";

/** What JSON calls an object: made by a literal, `JSON.parse` or `Object.create(null)`, of any realm; never a class instance. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && isPlain(value);
