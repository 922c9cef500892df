import { guardedLike } from "../../guarded.ts";
import type { AnyFunction } from "../wrap.ts";

/** Gives a wrapper its original's name, length and own properties; `own` are those that are guarded themselves. */
export const faced = <F extends AnyFunction>(
  wrapper: AnyFunction,
  original: F,
  own: ReadonlyMap<PropertyKey, unknown> = new Map(),
): F => {
  for (const key of Reflect.ownKeys(original)) {
    if (key === "name" || key === "length") continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(original, key) as PropertyDescriptor;
    if (own.has(key)) descriptor.value = own.get(key);
    Reflect.defineProperty(wrapper, key, descriptor);
  }
  const prototype = Object.getPrototypeOf(original) as object;
  if (Object.getPrototypeOf(wrapper) !== prototype) Object.setPrototypeOf(wrapper, prototype);
  return guardedLike(wrapper, original) as unknown as F;
};
