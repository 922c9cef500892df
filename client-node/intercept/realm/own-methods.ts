const { defineProperty, freeze, getOwnPropertyDescriptor, hasOwn } = Object;

/** Gives a class of the guard's the methods and getters that Node's class has now, for good. */
export const withOwnMethods = (
  own: object & { readonly prototype: object },
  known: object,
  keys: readonly PropertyKey[] = Reflect.ownKeys(known),
): void => {
  for (const key of keys) {
    if (hasOwn(own.prototype, key)) continue;
    const method = getOwnPropertyDescriptor(known, key);
    if (method !== undefined) defineProperty(own.prototype, key, method);
  }
  freeze(own);
  freeze(own.prototype);
};
