import { Buffer } from "node:buffer";
import { admit } from "../wire/admission.ts";
import { isObject, own } from "../wire/fields.ts";
import { scopePin } from "../wire/scope-pin.ts";
import { timeText_ms } from "../wire/utc-time.ts";
import { readSignedFile, SignedFileRefused } from "./signed-file.ts";

/**
 * The pin of a scope document that one of the given public keys has signed and that has not expired. What it says is the
 * daemon's to judge by: a client only holds it to this one.
 *
 * @throws SignedFileRefused
 */
export const pinnedScope = (file: string, keyFile: string, now_ms: number = Date.now()): string => {
  const payload = readSignedFile(file, keyFile, "scopes");
  const not_after = endOf(payload, file);
  if (not_after !== null && not_after <= now_ms) {
    throw new SignedFileRefused("expired", `${file}: the scope document has expired; have a newer one signed`);
  }
  return scopePin(payload);
};

const endOf = (payload: string, file: string): number | null => {
  const malformed = (): never => {
    throw new SignedFileRefused("malformed", `${file}: what is signed is not a scope document of version 1`);
  };
  let json: ReturnType<typeof admit>;
  try {
    json = admit(Buffer.from(payload, "utf8"));
  } catch {
    return malformed();
  }
  if (!isObject(json) || own(json, "v") !== 1) return malformed();
  const not_after = own(json, "not_after");
  if (not_after === null) return null;
  return timeText_ms(not_after) ?? malformed();
};
