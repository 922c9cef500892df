import type { HealthAnswer, HelloAnswer } from "./answer-bodies.ts";
import { canonical, canonicalJson, quote } from "./canonical.ts";
import type { Decision, DecisionDetails } from "./decision.ts";
import { encodeValue } from "./encode-value.ts";
import { Unrepresentable, WireError, type WireErrorCode } from "./errors.ts";
import { type FeatureSet, listFeatures } from "./features.ts";
import { closeFrame } from "./frame.ts";
import { Verdict } from "./verdict.ts";

const overrun = "response exceeded the frame limit";

/**
 * The answer to an event: canonical JSON with exactly eight keys, and `details` as the ninth where that was negotiated.
 * Throws `Unrepresentable` where a rewrite has no JSON form, `too_large` where it does not fit a frame, and `internal` for
 * a verdict that is none. Each means that an error frame is sent instead.
 */
export const responseFrame = (id: string, decision: Decision, features: FeatureSet): string => {
  try {
    return closeFrame(responseText(id, decision, features), overrun, id);
  } catch (error) {
    throw error instanceof Unrepresentable ? new Unrepresentable(error.what, error.where, id) : error;
  }
};

const responseText = (id: string, decision: Decision, features: FeatureSet): string => {
  const { verdict, modified_args, modified_result } = decision;
  if (
    verdict !== Verdict.ALLOW &&
    verdict !== Verdict.BLOCK &&
    verdict !== Verdict.MODIFY &&
    verdict !== Verdict.ESCALATE
  ) {
    throw new WireError("internal", "the decision has no verdict", id);
  }
  // Keys in canonical order, written out: this is on the path of every call.
  return `{"attributed_to":${textOrNull(decision.attributed_to)},${
    features.details ? `"details":${detailsText(decision.details)},` : ""
  }"id":${quote(id)},"modified_args":${
    modified_args === null ? "null" : valueText(modified_args, "modified_args", features)
  },"modified_result":${
    modified_result === null ? "null" : valueText(modified_result, "modified_result", features)
  },"policy_id":${textOrNull(decision.policy_id)},"reason":${quote(decision.reason)},"v":1,"verdict":${verdict}}`;
};

const textOrNull = (text: string | null): string => (text === null ? "null" : quote(text));

const valueText = (value: unknown, key: string, features: FeatureSet): string => {
  try {
    return canonicalJson(encodeValue(value, features), 1);
  } catch (error) {
    if (!(error instanceof Unrepresentable)) throw error;
    throw new Unrepresentable(error.what, error.where === "" ? key : `${key}.${error.where}`);
  }
};

const detailsText = (details: DecisionDetails | null): string => {
  if (details === null) return "null";
  const { approval_id, code, errors, replayed, transaction_id } = details;
  return `{"approval_id":${textOrNull(approval_id)},"code":${quote(code)},"errors":${
    errors.length === 0 ? "[]" : canonical(errors.map(({ loc, msg, type }) => ({ loc, msg, type })))
  },"replayed":${replayed === true},"transaction_id":${textOrNull(transaction_id)}}`;
};

/** The answer that says "no verdict". `id` is empty where the request's id is not known. */
export const errorFrame = (id: string, code: WireErrorCode, message: string): string =>
  `{"error":{"code":${quote(code)},"message":${quote(message.toWellFormed())}},"id":${quote(id)},"v":1}\n`;

/** The answer to a hello: what the daemon is, what both know, what it serves. */
export const helloAnswerFrame = (id: string, hello: HelloAnswer): string => {
  const { daemon, features, max_frame, mode, rules, rules_version } = hello;
  const body = { daemon, features: listFeatures(features), max_frame, mode, rules, rules_version };
  return closeFrame(`{"hello":${canonical(body)},"id":${quote(id)},"v":1}`, overrun, id);
};

/** The answer to a health question. */
export const healthAnswerFrame = (id: string, health: HealthAnswer): string => {
  const { receipts, reload, rules, rules_version, status, uptime_s } = health;
  const { count, message, ok } = reload;
  const body = { receipts, reload: { count, message, ok }, rules, rules_version, status, uptime_s };
  return closeFrame(`{"health":${canonical(body)},"id":${quote(id)},"v":1}`, overrun, id);
};
