import { Buffer } from "node:buffer";
import { admit } from "../admission.ts";
import { isObject, own } from "../fields.ts";
import type { JsonValue } from "../value.ts";
import { maxFallbackRules } from "./limits.ts";
import { parseRule, ruleId } from "./parse-rule.ts";
import type { FallbackPolicy } from "./policy.ts";
import { keysOf, refuse } from "./refuse-policy.ts";
import { parseTimestamp } from "./timestamp.ts";

/**
 * Parses the payload of a signed document of the kind `fallback`, strictly:
 *
 *     {"v":1,"id":"prod","version":7,"created":"...Z","not_before":"...Z"|null,"not_after":"...Z","rules":[...]}
 *
 * Throws `WireError` (`bad_request`): one line that names the place and quotes nothing.
 */
export const parseFallbackPolicy = (payload: string): FallbackPolicy => {
  const json = admitted(payload);
  if (!isObject(json)) return refuse("", "is not an object");
  keysOf(json, ["created", "id", "not_after", "not_before", "rules", "v", "version"], "");
  if (own(json, "v") !== 1) return refuse("v", "must be 1");
  const version = own(json, "version");
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    return refuse("version", "must be a whole number from 1");
  const created_ms = timeAt(own(json, "created"), "created");
  const not_after_ms = timeAt(own(json, "not_after"), "not_after");
  const start = own(json, "not_before");
  const not_before_ms = start === null ? null : timeAt(start, "not_before");
  if (not_after_ms <= Math.max(created_ms, not_before_ms ?? created_ms)) {
    return refuse("not_after", "must be later than created and not_before");
  }
  const rules = rulesOf(own(json, "rules"));
  if (new Set(rules.map(({ id }) => id)).size !== rules.length) return refuse("rules", "has an id twice");
  return Object.freeze({
    id: ruleId(own(json, "id"), "id"),
    version: version as number,
    created_ms,
    not_before_ms,
    not_after_ms,
    rules,
  });
};

const admitted = (payload: string): JsonValue => {
  try {
    return admit(Buffer.from(payload, "utf8"));
  } catch {
    return refuse("", "is not strict JSON");
  }
};

const timeAt = (json: JsonValue | undefined, at: string): number =>
  parseTimestamp(json) ?? refuse(at, "must be a time such as 2027-01-31T12:00:00.000Z");

const rulesOf = (json: JsonValue | undefined): FallbackPolicy["rules"] => {
  if (!Array.isArray(json) || json.length === 0 || json.length > maxFallbackRules) {
    return refuse("rules", `must be a list of 1 to ${maxFallbackRules}`);
  }
  return Object.freeze((json as readonly JsonValue[]).map((rule, index) => parseRule(rule, `rules.${index}`)));
};
