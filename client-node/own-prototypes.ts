const { create, getOwnPropertyDescriptors, getPrototypeOf, setPrototypeOf } = Object;

/** A copy of a prototype and of all that it inherits from, as they are now. */
export const copiedPrototypes = (prototype: object): object => {
  const above = getPrototypeOf(prototype) as object | null;
  return create(above === null ? null : copiedPrototypes(above), getOwnPropertyDescriptors(prototype)) as object;
};

/**
 * Gives an object of Node's methods of its own, those that it has now: what a program puts into Node's classes later is not called
 * for it.
 */
export const withOwnPrototypes = <T extends object>(
  object: T,
  own: object = copiedPrototypes(getPrototypeOf(object) as object),
): T => setPrototypeOf(object, own) as T;
