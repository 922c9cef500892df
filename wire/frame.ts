import { Buffer } from "node:buffer";
import { admit } from "./admission.ts";
import { canonical } from "./canonical.ts";
import { WireError } from "./errors.ts";
import { isObject } from "./fields.ts";
import { MAX_LINE, PROTOCOL_VERSION } from "./limits.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** A frame as it is written: canonical JSON and a newline. Throws `Unrepresentable`; `too_large` above MAX_LINE bytes. */
export const encodeFrame = (frame: JsonObject): string => closeFrame(canonical(frame), "frame exceeded limit", "");

/** Ends the text of a frame. Its size is tested by the sender, as the receiver could only cut the connection. */
export const closeFrame = (text: string, overrun: string, id: string): string => {
  const line = `${text}\n`;
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (line.length * 3 > MAX_LINE && Buffer.byteLength(line, "utf8") > MAX_LINE) {
    throw new WireError("too_large", overrun, id);
  }
  return line;
};

/** A line off the wire, with or without its newline, as the JSON object that it must be. Throws `bad_request` (admission.ts). */
export const decodeLine = (line: Uint8Array): JsonObject => {
  const json = admit(line);
  if (!isObject(json)) throw new WireError("bad_request", "frame must be a JSON object");
  return json;
};

/** Throws `bad_version` unless `v` is the number 1. Checked before anything else in a frame has a meaning, so the error has no id. */
export const assertVersion = (v: JsonValue | undefined): void => {
  if (v !== PROTOCOL_VERSION) {
    throw new WireError("bad_version", `unsupported protocol version ${versionText(v)} (expected ${PROTOCOL_VERSION})`);
  }
};

const versionText = (v: JsonValue | undefined): string => {
  if (v === undefined) return "(none)";
  return v === null || typeof v === "boolean" || typeof v === "number"
    ? `${v}`
    : Array.isArray(v)
      ? "(an array)"
      : `(a ${typeof v})`;
};
