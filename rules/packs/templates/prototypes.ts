import type { WireObject, WireValue } from "../../../wire/value.ts";

const prototype =
  /(?:^|[[."'&?])__proto__(?:$|[\].["'=])|constructor(?:\.|\]?\[)["']?prototype|["']constructor["']\s{0,8}:\s{0,8}\{\s{0,8}["']prototype["']/;

/** Whether a text sets the prototype of every object: as JSON, as a path of members, or as a query string. */
export const setsPrototype = (text: string): boolean =>
  (text.includes("__proto__") || text.includes("constructor")) && prototype.test(text);

const maxDepth = 64;

/** `constructor` that holds a `prototype`, at any depth. */
export const holdsPrototype = (value: WireValue, depth = 0): boolean => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return false;
  if (Array.isArray(value)) return value.some((item) => holdsPrototype(item, depth + 1));
  const holder = value as WireObject;
  const own = Object.hasOwn(holder, "constructor") ? holder.constructor : undefined;
  if (typeof own === "object" && own !== null && Object.hasOwn(own, "prototype")) return true;
  return Object.values(holder).some((inner) => holdsPrototype(inner, depth + 1));
};
