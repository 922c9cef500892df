import { argumentPath, type Found, readPath } from "../../../rules/contracts/argument-path.ts";
import type { WireObject, WireValue } from "../../../wire/value.ts";

/**
 * Bytes of a value: texts and names as UTF-8, binary values as they are, numbers and the like as they are written. Punctuation
 * does not count, so it is less than what is sent, by a little.
 */
export const bytesOf = (value: WireValue): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value === null || typeof value !== "object") return String(value).length;
  if (value instanceof Uint8Array) return value.length;
  let bytes = 0;
  if (Array.isArray(value)) for (const item of value as readonly WireValue[]) bytes += bytesOf(item);
  else for (const [name, item] of Object.entries(value)) bytes += Buffer.byteLength(name) + bytesOf(item as WireValue);
  return bytes;
};

export type VolumeRead =
  | { readonly ok: true; readonly bytes: number }
  | { readonly ok: false; readonly loc: string; readonly why: string };

/** Throws `RuleDefinitionError` for a path that is none. */
export const volumeReader = (of: string, where: string): ((args: WireObject) => VolumeRead) => {
  if (of === "arguments") return (args) => ({ ok: true, bytes: bytesOf(args) });
  const path = argumentPath(of, where);
  return (args) => {
    let bytes = 0;
    for (const found of readPath(args, path)) {
      if (found.kind !== "value") return { ok: false, loc: found.loc, why: whyNot(found) };
      bytes += bytesOf(found.value);
    }
    return { ok: true, bytes };
  };
};

const whyNot = ({ kind }: Found): string => (kind === "missing" ? "is missing" : "is not where it should be");
