import { createHmac, createSecretKey } from "node:crypto";
import { canonicalJson } from "../../wire/canonical.ts";
import type { JsonValue } from "../../wire/value.ts";

const prefix = "interlock keyed hash v1\n";

/**
 * What stands in a row for arguments: HMAC-SHA-256, 64 hex digits, over their canonical JSON. Whoever reads the rows and
 * not the key cannot try out amounts and order numbers until one fits. Equal values have equal hashes (`100` and `1e2`
 * are one number, keys in any order are one object).
 *
 * Every purpose has a key of its own, made from `key`: a fingerprint is never taken for a counter.
 *
 * @param key 16 bytes at least, the same for all daemons that share a store
 * @param purpose what is hashed, such as `fingerprint`; a constant of the code, never input
 */
export const keyedHash = (key: Uint8Array, purpose: string): ((value: JsonValue) => string) => {
  if (key.length < 16) throw new RangeError("a key for hashes has at least 16 bytes");
  const ofPurpose = createSecretKey(createHmac("sha256", key).update(prefix).update(purpose).digest());
  return (value) => createHmac("sha256", ofPurpose).update(canonicalJson(value)).digest("hex");
};
