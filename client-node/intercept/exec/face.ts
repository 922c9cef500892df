import { guardedLike } from "../../guarded.ts";
import type { AnyFunction } from "../wrap.ts";

/** Gives a wrapper its original's name, length, prototype and own properties; `own` are those that are guarded themselves. */
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
  return guardedLike(wrapper, original) as unknown as F;
};
