const brand = Symbol.for("interlock.error");

type Brand = "blocked" | "not approved" | "replayed";

/**
 * Makes `instanceof` true for the errors of another copy of this package in the same process: a preload is one file of its own, and what it
 * throws is caught by a program that imported the modules. Subclasses of a program's own are told by their prototype alone.
 */
export const sharedAcrossCopies = (errorClass: { prototype: object }, own: Brand, accepted: readonly Brand[]): void => {
  Object.defineProperty(errorClass.prototype, brand, { value: own });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
      if (this !== errorClass || !(value instanceof Error)) return false;
      return accepted.includes(Reflect.get(value, brand) as Brand);
    },
  });
};
