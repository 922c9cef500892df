import { createHash } from "node:crypto";
import type { WireObject, WireValue } from "../../../../wire/value.ts";

const known = new WeakMap<object, string>();

/**
 * A short text that two values share where they are the same JSON; the order of members does not count. Each node is hashed over its
 * children's hashes and remembered, so that asking at every depth of a tree stays linear.
 */
export const fingerprint = (value: WireValue): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const before = known.get(value);
  if (before !== undefined) return before;
  const text = textOf(value);
  // Hashing costs more than what is short.
  const made = text.length <= longestPlain ? text : `#${createHash("sha256").update(text).digest("base64url")}`;
  known.set(value, made);
  return made;
};

const longestPlain = 128;

const textOf = (value: object): string => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("base64")}`;
  if (Array.isArray(value)) return `[${(value as readonly WireValue[]).map(fingerprint).join()}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${fingerprint((value as WireObject)[name]!)}`);
  return `{${members.join()}}`;
};

export const isSame = (one: WireValue | undefined, other: WireValue | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && fingerprint(one) === fingerprint(other));

/** Deeper values are called different: no listing nests so. */
const deepestEqual = 256;

/** Are they the same JSON? Compared without a hash, for values that may be large; the order of members does not count. */
export const isEqual = (one: WireValue | undefined, other: WireValue | undefined, depth = 0): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null || depth > deepestEqual)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  const [left, right] = [one as WireObject, other as WireObject];
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], depth + 1));
};
