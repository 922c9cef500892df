import { encodeValue } from "../wire/codec.ts";
import { Unrepresentable } from "../wire/errors.ts";

/** Has the value a JSON form? */
export const isRepresentable = (value: unknown): boolean => {
  try {
    encodeValue(value, { escape: true });
    return true;
  } catch (error) {
    if (error instanceof Unrepresentable) return false;
    throw error;
  }
};
