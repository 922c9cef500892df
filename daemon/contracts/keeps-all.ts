/**
 * Did reading keep everything? What was read may hold more (defaults were filled in), and nothing less and nothing
 * else: a schema that strips, coerces or transforms is caught here, whatever it was made of.
 */
export const keepsAll = (given: unknown, read: unknown): boolean => {
  if (Object.is(given, read)) return true;
  if (typeof given !== "object" || typeof read !== "object" || given === null || read === null) return false;
  if (Array.isArray(given))
    return Array.isArray(read) && given.length === read.length && given.every((item, at) => keepsAll(item, read[at]));
  if (given instanceof Uint8Array || Array.isArray(read)) return false;
  return Object.keys(given).every(
    (key) =>
      Object.hasOwn(read, key) &&
      keepsAll((given as Record<string, unknown>)[key], (read as Record<string, unknown>)[key]),
  );
};
