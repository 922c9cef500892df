import { admit } from "../../wire/admission.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { isObject, own } from "../../wire/fields.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import type { ApprovalRow } from "../store/transaction-rows.ts";
import { argsPlace } from "../transactions/places.ts";
import { maxListedArgumentBytes, maxListedBoxBytes } from "./limits.ts";
import { type Masked, mask, maskAll } from "./mask.ts";
import type { OperatorPlane } from "./operator-ledger.ts";

/** Arguments, or why there are none: no longer kept, or not of this call; too long for a list. */
export type ShownCall = Masked | "gone" | "long";

/**
 * The arguments as they will run, without what the tool's contract keeps from view. `whole`: however long they are. Throws
 * StoreFailed.
 */
export const shownCall = async (
  plane: OperatorPlane,
  row: ApprovalRow,
  length: "whole" | "listed",
): Promise<ShownCall> => {
  const place = argsPlace(row.approval_id);
  if (length === "listed") {
    const box = await plane.ledger.reads.findBox(place, plane.now_ms());
    if (box !== null && box.length > maxListedBoxBytes) return "long";
  }
  const text = await plane.ledger.openBox(place, plane.now_ms());
  const args = text === null ? null : argumentsIn(text, row);
  if (args === null) return "gone";
  const masked = maskedBy(plane, row, args);
  return length === "listed" && isLongText(canonicalJson(masked.args)) ? "long" : masked;
};

const isLongText = (text: string): boolean => Buffer.byteLength(text, "utf8") > maxListedArgumentBytes;

const maskedBy = (plane: OperatorPlane, row: ApprovalRow, args: JsonObject): Masked => {
  const paths = plane.redacted(row.action);
  if (paths !== null) return mask(args, paths);
  // The rules that asked had a contract for it, or not: only where they are still in force it is known that they had none.
  return row.rules === plane.rules() ? mask(args, []) : maskAll(args);
};

/** A box that tells of another call than the row does is not shown as this one. */
const argumentsIn = (text: string, { action, principal, parent_principal }: ApprovalRow): JsonObject | null => {
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
  return isSame && isObject(args) ? args : null;
};
