/**
 * Something inert that Node describes in its errors as it would describe `value` ("Received an instance of Foo"), and that has no
 * getter, proxy trap or later change by which it could become a path.
 */
export const standIn = (value: object): unknown => {
  if (typeof value === "function") return named(() => undefined, value.name);
  const name: unknown = value.constructor?.name;
  const inert: object = Object.create(null);
  if (typeof name !== "string" || name === "") return Object.freeze(inert);
  // Node makes a number of it, to see whether it is a descriptor.
  Object.defineProperty(inert, "toString", { value: () => "" });
  return Object.freeze(Object.defineProperty(inert, "constructor", { value: Object.freeze({ name }) }));
};

const named = (inert: object, name: unknown): unknown =>
  Object.freeze(Object.defineProperty(inert, "name", { value: typeof name === "string" ? name : "" }));
