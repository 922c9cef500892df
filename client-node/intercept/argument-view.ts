import { bytesOf } from "../bytes-of.ts";
import { itemsOf } from "../items-of.ts";
import { isPlainObject } from "../plain-object.ts";
import { dataBytes, dataDigest } from "./data-digest.ts";

/** Data up to this many bytes is shown to rules as it is; of more they see its length and digest. */
export const longestShownData_bytes = 64 * 1024;

const deepest = 8;
const { getTime } = Date.prototype;

/** Data as rules see it: text and bytes as they are, or `{bytes, sha256}` of what is longer, a list of both as what is written. */
export const dataView = (value: unknown): unknown => {
  if (typeof value === "string") {
    // A character is three bytes at most.
    if (value.length * 3 <= longestShownData_bytes || dataBytes(value) <= longestShownData_bytes) return value;
    return dataDigest([value]);
  }
  if (Array.isArray(value) && value.every(isPiece)) return isShort(value) ? jsonView(value) : dataDigest(value);
  if (!ArrayBuffer.isView(value)) return jsonView(value, 1);
  const bytes = bytesOf(value);
  return bytes.byteLength <= longestShownData_bytes ? bytes : dataDigest([bytes]);
};

const isPiece = (value: unknown): value is string | ArrayBufferView =>
  typeof value === "string" || ArrayBuffer.isView(value);

const isShort = (pieces: readonly (string | ArrayBufferView)[]): boolean => {
  let bytes = pieces.length;
  for (const piece of pieces) {
    bytes += dataBytes(piece);
    if (bytes > longestShownData_bytes) return false;
  }
  return true;
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
  if (Array.isArray(value)) return itemsOf<unknown>(value).map((item) => jsonView(item, depth + 1) ?? null);
  if (!isPlainObject(value)) return undefined;
  const view: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = jsonView(value[key], depth + 1);
    if (item !== undefined) Object.defineProperty(view, key, { value: item, ...ordinary });
  }
  return view;
};

const ordinary = { writable: true, enumerable: true, configurable: true } as const;
