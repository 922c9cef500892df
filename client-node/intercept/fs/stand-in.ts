/**
 * Something inert that Node describes in its errors as it would describe `value` ("Received an instance of Foo"), and that has no
 * getter, proxy trap or later change by which it could become a path.
 */
export const standIn = (value: object): unknown => {
  if (typeof value === "function") return named(() => undefined, value.name);
  const name: unknown = value.constructor?.name;
  if (typeof name !== "string" || name === "") return Object.freeze(Object.create(null));
  return Object.freeze(Object.assign(Object.create(null), { constructor: Object.freeze({ name }) }));
};

const named = (inert: object, name: unknown): unknown =>
  Object.freeze(Object.defineProperty(inert, "name", { value: typeof name === "string" ? name : "" }));
