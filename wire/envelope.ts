import type { JsonValue } from "./value.ts";

/**
 * How bytes travel in JSON: `{"__interlock__":"bytes","b64":"<standard base64>"}`, an object of exactly these two keys.
 *
 * The escape (feature `escape`). A user's own object may have that shape. Where both peers know the escape, an object of
 * exactly the two keys whose `__interlock__` is `"bytes"`, or a string that begins with `"="`, is sent with one `"="` put in
 * front of that string; the reader takes one `"="` away again. So `"bytes"` travels as `"=bytes"`, `"=bytes"` as `"==bytes"`,
 * and a bare `"bytes"` on the wire is always bytes. Every value has one encoding: `"=x"` where `x` would not have been escaped
 * is refused. `b64` is then an ordinary value, encoded like any other. Objects of other shapes are never touched.
 */
export const tagKey = "__interlock__";
export const bytesKey = "b64";
export const bytesTag = "bytes";

/** The tag of an object with exactly the keys `__interlock__` and `b64`, where it is a string; null otherwise. */
export const envelopeTag = (object: object, keys: readonly string[]): string | null => {
  if (keys.length !== 2) return null;
  const [first, second] = keys;
  if (!((first === tagKey && second === bytesKey) || (first === bytesKey && second === tagKey))) return null;
  const tag = (object as Record<string, unknown>)[tagKey];
  return typeof tag === "string" ? tag : null;
};

export const needsEscape = (tag: string): boolean => tag === bytesTag || tag.startsWith("=");

export const bytesEnvelope = (b64: string): JsonValue => ({ [tagKey]: bytesTag, [bytesKey]: b64 });
