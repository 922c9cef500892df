import { admit } from "../../wire/admission.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { isObject, own } from "../../wire/fields.ts";
import type { JsonValue } from "../../wire/value.ts";
import { type Masked, mask } from "../contracts/mask.ts";
import type { ApprovalRow } from "../store/transaction-rows.ts";
import { argsPlace } from "../transactions/places.ts";
import type { ShownCall } from "../transactions/shown-call.ts";
import { maxListedArgumentBytes, maxListedBoxBytes } from "./limits.ts";
import type { OperatorPlane } from "./operator-ledger.ts";

/** Arguments, or why there are none: no longer kept, or not of this call; too long for a list. */
export type MaskedCall = Masked | "gone" | "long";

/**
 * The arguments as they will run, without what the tool's contract keeps from view. `whole`: however long they are. Throws
 * StoreFailed.
 */
export const maskedCall = async (
  plane: OperatorPlane,
  row: ApprovalRow,
  length: "whole" | "listed",
): Promise<MaskedCall> => {
  const place = argsPlace(row.approval_id);
  if (length === "listed") {
    const box = await plane.ledger.reads.findBox(place, plane.now_ms());
    if (box !== null && box.length > maxListedBoxBytes) return "long";
  }
  const text = await plane.ledger.openBox(place, plane.now_ms());
  const shown = text === null ? null : shownIn(text, row);
  if (shown === null) return "gone";
  // What was kept from view when it was asked, and what the rules keep from view today.
  const masked = mask(shown.args, [...shown.redact, ...plane.redacted(row.action)]);
  return length === "listed" && isLongText(canonicalJson(masked.args)) ? "long" : masked;
};

const isLongText = (text: string): boolean => Buffer.byteLength(text, "utf8") > maxListedArgumentBytes;

/** A box that tells of another call than the row does is not shown as this one. */
const shownIn = (
  text: string,
  { action, principal, parent_principal }: ApprovalRow,
): Pick<ShownCall, "args" | "redact"> | null => {
  let json: JsonValue;
  try {
    json = admit(Buffer.from(text, "utf8"));
  } catch {
    return null;
  }
  if (!isObject(json)) return null;
  const isSame =
    own(json, "action") === action &&
    own(json, "principal") === principal &&
    own(json, "parent_principal") === parent_principal;
  const args = own(json, "args");
  const redact = own(json, "redact");
  return isSame && isObject(args) && isTexts(redact) ? { args, redact } : null;
};

const isTexts = (json: JsonValue | undefined): json is readonly string[] =>
  Array.isArray(json) && json.every((text) => typeof text === "string");
