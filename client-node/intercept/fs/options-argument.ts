import { itemsOf } from "../../items-of.ts";
import { isDate } from "./captured.ts";
import { settledPath } from "./path-argument.ts";
import { standIn } from "./stand-in.ts";

/** The options that Node reads from an object. A class may have them as getters that enumeration does not show. */
const optionNames = [
  ...["encoding", "flag", "flags", "mode", "signal", "flush", "recursive", "force", "maxRetries", "retryDelay"],
  ...["withFileTypes", "bigint", "throwIfNoEntry", "bufferSize", "fd", "autoClose", "emitClose", "start", "end", "fs"],
  ...["highWaterMark", "dereference", "errorOnExist", "filter", "preserveTimestamps", "verbatimSymlinks", "type"],
  ...["persistent", "interval", "cwd", "exclude", "followSymlinks", "ignore", "maxQueue", "overflow", "objectMode"],
] as const;

/** An options object that reads the same each time: every option is read once, inherited ones too. */
export const settledOptions = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return itemsOf(value);
  const options: Record<PropertyKey, unknown> = Object.create(null);
  const source = value as Record<PropertyKey, unknown>;
  for (const key in source) options[key] = source[key];
  for (const key of Object.getOwnPropertySymbols(source)) options[key] = source[key];
  for (const key of optionNames) if (!Object.hasOwn(options, key) && key in source) options[key] = source[key];
  if (options.cwd !== undefined) options.cwd = settledPath(options.cwd);
  return options;
};

/** A number, text or time; Node refuses every other object. */
export const settledValue = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  return isDate(value) ? Reflect.apply(getTime, value, []) / 1000 : standIn(value);
};

const { getTime } = Date.prototype;
