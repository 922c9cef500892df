import { hash } from "node:crypto";
import { bytesOf } from "../bytes-of.ts";
import { isPlainObject } from "../plain-object.ts";

/** Data up to this many bytes is shown to rules as it is; of more they see its length and digest. */
export const longestShownData_bytes = 64 * 1024;

const deepest = 8;
const digestOf = hash;
const { getTime } = Date.prototype;

/** Data as rules see it: text and bytes as they are, or `{bytes, sha256}` (hex) of what is longer. */
export const dataView = (value: unknown): unknown => {
  if (typeof value === "string") {
    if (value.length * 3 <= longestShownData_bytes) return value;
    const bytes = Buffer.byteLength(value);
    return bytes <= longestShownData_bytes ? value : { bytes, sha256: digestOf("sha256", value) };
  }
  if (!ArrayBuffer.isView(value)) return jsonView(value, 1);
  const bytes = bytesOf(value);
  if (bytes.byteLength <= longestShownData_bytes) return bytes;
  return { bytes: bytes.byteLength, sha256: digestOf("sha256", bytes) };
};

/**
 * The part of an argument that has a JSON form; undefined where none has. Functions, signals, agents, streams and other instances
 * are left out; a Date is seconds, as Node's numbers for times are; a bigint is a number where it is one, else its digits.
 */
export const jsonView = (value: unknown, depth = 1): unknown => {
  switch (typeof value) {
    case "string":
      return value.length > longestShownData_bytes / 3 ? dataView(value) : value;
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case "object":
      return objectView(value, depth);
    default:
      return undefined;
  }
};

const objectView = (value: object | null, depth: number): unknown => {
  if (value === null) return null;
  if (value instanceof Date) return jsonView(Reflect.apply(getTime, value, []) / 1000);
  if (ArrayBuffer.isView(value)) return dataView(value);
  if (value instanceof URL) return value.href;
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return Array.from(value, (item) => jsonView(item, depth + 1) ?? null);
  if (!isPlainObject(value)) return undefined;
  const view: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = jsonView(value[key], depth + 1);
    if (item !== undefined) Object.defineProperty(view, key, { value: item, ...ordinary });
  }
  return view;
};

const ordinary = { writable: true, enumerable: true, configurable: true } as const;
