import type { WireValue } from "./value.ts";

/** Freezes a value off the wire in depth, in place. Bytes stay writable: an array buffer view with elements cannot be frozen. */
export const deepFreeze = <T extends WireValue>(value: T): T => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    for (const item of value as readonly WireValue[]) deepFreeze(item);
  } else {
    for (const key of Object.keys(value))
      deepFreeze((value as { readonly [key: string]: WireValue })[key] as WireValue);
  }
  return Object.freeze(value);
};
