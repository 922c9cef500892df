import { encodeValue } from "../../wire/codec.ts";
import { Unrepresentable } from "../../wire/errors.ts";
import type { JsonObject, JsonValue, WireObject, WireValue } from "../../wire/value.ts";

/**
 * Arguments as JSON that is hashed or shown, never sent: as on the wire, and where a double was read that cannot be sent
 * back exactly (1e30), in a form of its own. Two values have the same JSON only where they are the same value.
 */
export const argsJson = (value: WireValue): JsonValue => {
  try {
    return encodeValue(value, { escape: true });
  } catch (error) {
    if (!(error instanceof Unrepresentable)) throw error;
    return { unsendable: tagged(value) };
  }
};

/** Can they be sent back as they are? */
export const isSendable = (args: WireObject): boolean => {
  try {
    encodeValue(args, { escape: true });
    return true;
  } catch (error) {
    if (error instanceof Unrepresentable) return false;
    throw error;
  }
};

/** Objects and bytes by a tag, so that neither looks like the other. */
const tagged = (value: WireValue): JsonValue => {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map((item: WireValue) => tagged(item));
  const members = Object.entries(value).map(([key, member]): JsonValue => [key, tagged(member as WireValue)]);
  return { members: members.sort() } satisfies JsonObject;
};
