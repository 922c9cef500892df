import { admit } from "../../wire/admission.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { WireError } from "../../wire/errors.ts";
import type { ReceivedEvent, SensorEvent } from "../../wire/event.ts";
import { featureSet } from "../../wire/features.ts";
import { isObject, own } from "../../wire/fields.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import { parseEvent } from "../../wire/request-event.ts";
import type { JsonValue } from "../../wire/value.ts";
import { mask } from "../contracts/mask.ts";

/** A longer event is not captured: sealing costs about 11 microseconds a KiB, and every other caller waits for it. */
export const maxCapturedLength = 64 * 1024;

/** Why a call has a box without its event. */
export type LeftOut = "too_large" | "no_room";

/** What is sealed beside a receipt. */
export type CapturedEvent =
  | {
      readonly event: SensorEvent;
      /** Where the tool's contract keeps a value from view: it was never captured, and `(redacted)` stands there. */
      readonly redacted: readonly string[];
    }
  | { readonly leftOut: LeftOut };

/** What is captured of a call. */
export interface PutCall extends Pick<ReceivedEvent, "argsJson"> {
  readonly event: Pick<SensorEvent, "action" | "phase" | "principal" | "parent_principal">;
  /** Was the feature `escape` agreed on? The arguments' JSON is read by it. */
  readonly escapes: boolean;
}

/** The text that is sealed; `too_large` where it is longer than is captured. `redact` are paths of the tool's contract. */
export const capturedText = ({ event: put, argsJson, escapes }: PutCall, redact: readonly string[]): string => {
  // The JSON as it came: a value off the wire need not have one of ours (an integer beyond 2^53 that was written 1e30).
  const { args, redacted } = mask(argsJson, redact);
  const { action, parent_principal, phase, principal } = put;
  const text = canonicalJson({ escapes, event: { action, args, parent_principal, phase, principal }, redacted, v: 1 });
  return text.length > maxCapturedLength ? leftOutText("too_large") : text;
};

export const leftOutText = (leftOut: LeftOut): string => canonicalJson({ left_out: leftOut, v: 1 });

/** The captured event of its text; null where it is not one that this release writes. */
export const parseCaptured = (text: string): CapturedEvent | null => {
  try {
    const json = admit(Buffer.from(text, "utf8"));
    if (!isObject(json) || own(json, "v") !== 1) return null;
    const leftOut = own(json, "left_out");
    if (leftOut === "too_large" || leftOut === "no_room") return { leftOut };
    const redacted = own(json, "redacted");
    if (!isTexts(redacted)) return null;
    const features = featureSet(own(json, "escapes") === true ? ["escape"] : []);
    const { event } = parseEvent(own(json, "event"), "", features);
    return { event: { ...event, args: deepFreeze(event.args) }, redacted };
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
};

const isTexts = (json: JsonValue | undefined): json is readonly string[] =>
  Array.isArray(json) && json.every((text) => typeof text === "string");
