import { bytesOf } from "./bytes-of.ts";

/** Are two values, as rules are shown them, the same? By what they hold: they may be of two realms. */
export const sameView = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Uint8Array || other instanceof Uint8Array) {
    return one instanceof Uint8Array && other instanceof Uint8Array && sameBytes(bytesOf(one), bytesOf(other));
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameView(at(one, key), at(other, key)))
  );
};

const at = (object: object, key: string): unknown => (object as Record<string, unknown>)[key];

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
};
