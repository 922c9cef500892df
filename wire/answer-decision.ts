import type { Decision, DecisionDetails } from "./decision.ts";
import { decodeValue } from "./decode-value.ts";
import { WireError } from "./errors.ts";
import type { FeatureSet } from "./features.ts";
import { isObject, objectField, onlyKeys, own, refuse } from "./fields.ts";
import { printableNames } from "./printable-name.ts";
import type { JsonObject, JsonValue, WireObject, WireValue } from "./value.ts";
import { Verdict } from "./verdict.ts";

/** The eight keys of wire v1 without `reason`, which may be absent. */
const requiredKeyCount = 7;

/**
 * The decision in a frame with exactly the eight keys, or the nine where `details` was negotiated. Every key must be there:
 * a MODIFY whose rewrite is missing would run the call as it was. Only `reason` may be absent or null (wire v1), and is then empty.
 */
export const parseDecision = (frame: JsonObject, id: string, features: FeatureSet): Decision => {
  let required = 0;
  let hasDetails = false;
  let unknown: string[] | undefined;
  const keys = Object.keys(frame);
  for (let i = 0; i < keys.length; i++) {
    switch (keys[i]) {
      case "attributed_to":
      case "id":
      case "modified_args":
      case "modified_result":
      case "policy_id":
      case "v":
      case "verdict":
        required++;
        break;
      case "reason":
        break;
      default:
        if (features.details && keys[i] === "details") {
          hasDetails = true;
          break;
        }
        if (unknown === undefined) unknown = [];
        unknown.push(keys[i] as string);
    }
  }
  if (unknown !== undefined) return refuse(`unknown response key(s): ${printableNames(unknown)}`, id);
  if (required !== requiredKeyCount || (features.details && !hasDetails)) {
    return refuse("the answer lacks a key", id);
  }
  const verdict = parseVerdict(frame.verdict, id);
  const modified_args = parseModifiedArgs(frame.modified_args, id, features);
  const modified_result = decode(frame.modified_result as JsonValue, "modified_result", id, features);
  if (verdict === Verdict.ALLOW && (modified_args !== null || modified_result !== null)) {
    return refuse("an ALLOW carries no rewrite", id);
  }
  const details = features.details ? parseDetails(frame.details, id) : null;
  if (details?.replayed === true) assertReplay(verdict, modified_args, details, id);
  // Wire v1 lets a BLOCK carry what nobody reads.
  if (features.details && verdict === Verdict.BLOCK && modified_result !== null) {
    if (!features.replay || details?.replayed !== true) return refuse("only a replay carries a result in a BLOCK", id);
  }
  return Object.freeze({
    verdict,
    reason: parseReason(own(frame, "reason"), id),
    policy_id: textOrNull(frame.policy_id, "policy_id", id),
    attributed_to: textOrNull(frame.attributed_to, "attributed_to", id),
    modified_args,
    modified_result,
    details,
  });
};

/** A replay has one form, which no client can read as leave to run the call again: a BLOCK that names the transaction which ran. */
const assertReplay = (verdict: Verdict, args: WireObject | null, details: DecisionDetails, id: string): void => {
  if (verdict !== Verdict.BLOCK) refuse("a replay is a BLOCK", id);
  if (details.code !== "replayed") refuse("a replay has the code replayed", id);
  if (details.transaction_id === null) refuse("a replay names the transaction that ran", id);
  if (args !== null) refuse("a replay carries no arguments", id);
};

const parseVerdict = (json: JsonValue | undefined, id: string): Verdict => {
  switch (json) {
    case Verdict.ALLOW:
    case Verdict.BLOCK:
    case Verdict.MODIFY:
    case Verdict.ESCALATE:
      return json as Verdict;
    default:
      return refuse("verdict must be one of 0, 1, 2, 3", id);
  }
};

const parseReason = (json: JsonValue | undefined, id: string): string => {
  if (json === undefined || json === null) return "";
  return typeof json === "string" ? json : refuse("reason must be a string", id);
};

const textOrNull = (json: JsonValue | undefined, where: string, id: string): string | null =>
  json === null || typeof json === "string" ? json : refuse(`${where} must be a string or null`, id);

const parseModifiedArgs = (json: JsonValue | undefined, id: string, features: FeatureSet): WireObject | null => {
  if (json === null) return null;
  if (!isObject(json)) return refuse("modified_args must be a JSON object or null", id);
  const args = decode(json, "modified_args", id, features);
  return args instanceof Uint8Array ? refuse("modified_args must be a JSON object or null", id) : (args as WireObject);
};

const decode = (json: JsonValue, where: string, id: string, features: FeatureSet): WireValue => {
  try {
    return decodeValue(json, features);
  } catch (error) {
    if (error instanceof WireError) throw new WireError(error.code, `${where}: ${error.message}`, id);
    throw error;
  }
};

const parseDetails = (json: JsonValue | undefined, id: string): DecisionDetails | null => {
  if (json === null) return null;
  const details = objectField(json, "details", id);
  onlyKeys(details, ["approval_id", "code", "errors", "replayed", "transaction_id"], "details", id);
  const code = own(details, "code");
  const replayed = own(details, "replayed");
  const errors = own(details, "errors");
  if (typeof code !== "string" || code === "") return refuse("details.code must be a non-empty string", id);
  if (typeof replayed !== "boolean") return refuse("details.replayed must be true or false", id);
  if (!Array.isArray(errors)) return refuse("details.errors must be an array", id);
  return Object.freeze({
    approval_id: textOrNull(own(details, "approval_id"), "details.approval_id", id),
    code,
    errors: Object.freeze((errors as readonly JsonValue[]).map((error) => parseFieldError(error, id))),
    replayed,
    transaction_id: textOrNull(own(details, "transaction_id"), "details.transaction_id", id),
  });
};

const parseFieldError = (json: JsonValue, id: string): DecisionDetails["errors"][number] => {
  const error = objectField(json, "details.errors[]", id);
  onlyKeys(error, ["loc", "msg", "type"], "details.errors[]", id);
  const text = (key: string): string => {
    const value = own(error, key);
    return typeof value === "string" ? value : refuse(`details.errors[].${key} must be a string`, id);
  };
  return Object.freeze({ loc: text("loc"), msg: text("msg"), type: text("type") });
};
