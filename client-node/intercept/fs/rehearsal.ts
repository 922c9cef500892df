import { devNull } from "node:os";
import { pathFields } from "./file-spec.ts";

/** A path at which nothing can be, or be made: its parent is no folder. */
const nowhere = `${devNull}/nowhere`;

/**
 * The arguments with which a callback function can be called before the guard is asked, with no effect, so that what Node
 * throws at once for misuse (an encoding that there is not, a mode that is no number) is thrown at once. Null where that is not done: for
 * the usual arguments, in which Node finds nothing to throw about, and for patterns, which are no paths.
 */
export const rehearsal = (
  action: string,
  fields: readonly string[],
  args: readonly unknown[],
): readonly unknown[] | null => {
  if (fields.includes("pattern")) return null;
  if (fields.every((field, at) => pathFields.includes(field) || isUsual(action, field, args[at]))) return null;
  return nowhereArguments(fields, args);
};

/** The arguments with no path that leads anywhere, and no function of the program's. */
export const nowhereArguments = (fields: readonly string[], args: readonly unknown[]): readonly unknown[] =>
  args.map((value, at) => {
    const field = fields[at] ?? "";
    return pathFields.includes(field) ? nowhere : field === "options" ? withoutFunctions(value) : value;
  });

const switches: readonly string[] = ["recursive", "force", "withFileTypes", "bigint"];
const withEncoding: readonly string[] = ["readFile", "writeFile", "appendFile", "readdir", "readlink"];
const optional: readonly string[] = ["fs.access mode", "fs.copyFile mode", "fs.open flags", "fs.open mode"];

const isUsual = (action: string, field: string, value: unknown): boolean => {
  if (field === "data") return typeof value === "string" || ArrayBuffer.isView(value);
  if (value === undefined) return ["options", "len", "type"].includes(field) || optional.includes(`${action} ${field}`);
  if (field === "flags") return value === "r" || value === "w" || value === "a" || value === "r+";
  if (field !== "options") return false;
  if (typeof value !== "object" || value === null) return isText(action, value);
  return Reflect.ownKeys(value).every((key) => {
    const option: unknown = Reflect.get(value, key);
    return typeof key === "string" && switches.includes(key)
      ? typeof option === "boolean"
      : key === "encoding" && isText(action, option);
  });
};

const isText = (action: string, value: unknown): boolean =>
  withEncoding.includes(action.slice("fs.".length)) && (value === "utf8" || value === "utf-8");

const withoutFunctions = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const options: Record<PropertyKey, unknown> = Object.assign(Object.create(null), value);
  for (const key of Reflect.ownKeys(options)) if (typeof options[key] === "function") options[key] = () => false;
  return options;
};
