import { guardedLike } from "../../guarded.ts";
import type { AnyFunction } from "../wrap.ts";

/** Gives a wrapper its original's name, length, own properties and prototype, and the mark that it is guarded. */
export const dressed = <F extends AnyFunction>(wrapper: AnyFunction, original: F): F => {
  for (const key of Reflect.ownKeys(original)) {
    if (key === "name" || key === "length") continue;
    Reflect.defineProperty(wrapper, key, Reflect.getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  return guardedLike(wrapper, original) as unknown as F;
};
