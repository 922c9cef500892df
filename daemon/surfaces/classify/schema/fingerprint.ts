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
  const hash = createHash("sha256");
  if (Array.isArray(value)) {
    hash.update("[");
    for (const item of value as readonly WireValue[]) hash.update(`${fingerprint(item)},`);
  } else if (value instanceof Uint8Array) {
    hash.update("bytes").update(value);
  } else {
    hash.update("{");
    for (const name of Object.keys(value).sort())
      hash.update(`${JSON.stringify(name)}:${fingerprint((value as WireObject)[name]!)},`);
  }
  const made = hash.digest("base64url");
  known.set(value, made);
  return made;
};

export const isSame = (one: WireValue | undefined, other: WireValue | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && fingerprint(one) === fingerprint(other));
