import type { Phase } from "./event.ts";
import { isObject, nonEmptyString, objectField, onlyKeys, own, refuse, stringOrNull, wholeNumber } from "./fields.ts";
import { maxNameBytes, maxOfflineDecisions } from "./limits.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/**
 * `{decisions: [...]}`: what a client decided by its fallback policy while it could not reach the daemon; 1 to 64. All of it is the
 * client's word.
 */
export interface OfflineBody {
  readonly decisions: readonly OfflineDecision[];
}

/**
 * One of them, with exactly these keys. No argument's value is in it: `args_commitment` is SHA-256 over `interlock args v1` (of a result
 * `interlock response v1`), a line feed, `salt`, a line feed, and the canonical JSON of the event's arguments.
 */
export interface OfflineDecision {
  /** 32 hex digits, unpredictable: a decision that is told twice is recorded once. */
  readonly id: string;
  /** The client's clock. */
  readonly at_ms: number;
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly call_id: string | null;
  /** `sha256:` and 64 hex digits. */
  readonly args_commitment: string;
  /** 32 hex digits. */
  readonly salt: string;
  readonly verdict: "ALLOW" | "BLOCK";
  /** The rule that decided; null for a BLOCK by none. */
  readonly rule: string | null;
  /** `<id>@<version>` of the policy. */
  readonly policy: string;
}

const keys = [
  "action",
  "args_commitment",
  "at_ms",
  "call_id",
  "id",
  "parent_principal",
  "phase",
  "policy",
  "principal",
  "rule",
  "salt",
  "verdict",
] as const;

export const parseOffline = (json: JsonValue | undefined, id: string): OfflineBody => {
  const body = objectField(json, "offline", id);
  onlyKeys(body, ["decisions"], "offline", id);
  const decisions = own(body, "decisions");
  if (!Array.isArray(decisions) || decisions.length === 0 || decisions.length > maxOfflineDecisions) {
    return refuse(`offline.decisions must be an array of 1 to ${maxOfflineDecisions}`, id);
  }
  const parsed = (decisions as readonly JsonValue[]).map((item) => parseOfflineDecision(item, id));
  if (new Set(parsed.map((decision) => decision.id)).size !== parsed.length) {
    return refuse("offline.decisions has an id twice", id);
  }
  return Object.freeze({ decisions: Object.freeze(parsed) });
};

/** Also what a client's spool holds of one. Throws `bad_request`. */
export const parseOfflineDecision = (json: JsonValue | undefined, id: string): OfflineDecision => {
  if (!isObject(json)) return refuse("a decision of offline must be a JSON object", id);
  onlyKeys(json, keys, "offline decision", id);
  if (Object.keys(json).length !== keys.length) return refuse(`an offline decision has exactly ${keys.join(", ")}`, id);
  const phase = own(json, "phase");
  if (phase !== "call" && phase !== "result") return refuse("offline phase must be one of call, result", id);
  const verdict = own(json, "verdict");
  if (verdict !== "ALLOW" && verdict !== "BLOCK") return refuse("offline verdict must be one of ALLOW, BLOCK", id);
  const rule = own(json, "rule") === null ? null : matching(json, "rule", policyName, id);
  if (rule === null && verdict === "ALLOW") return refuse("an offline ALLOW names its rule", id);
  return Object.freeze({
    id: matching(json, "id", hex32, id),
    at_ms: wholeNumber(own(json, "at_ms"), "offline at_ms", id),
    action: nonEmptyString(own(json, "action"), "offline action", maxNameBytes, id),
    phase,
    principal: stringOrNull(own(json, "principal"), "offline principal", maxNameBytes, id),
    parent_principal: stringOrNull(own(json, "parent_principal"), "offline parent_principal", maxNameBytes, id),
    call_id: stringOrNull(own(json, "call_id"), "offline call_id", maxNameBytes, id),
    args_commitment: matching(json, "args_commitment", commitment, id),
    salt: matching(json, "salt", hex32, id),
    verdict,
    rule,
    policy: matching(json, "policy", policyAtVersion, id),
  });
};

const hex32 = /^[0-9a-f]{32}$/;
const commitment = /^sha256:[0-9a-f]{64}$/;
const policyName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const policyAtVersion = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[1-9][0-9]{0,15}$/;

const matching = (json: JsonObject, key: string, form: RegExp, id: string): string => {
  const text = own(json, key);
  return typeof text === "string" && form.test(text) ? text : refuse(`offline ${key} is not of its form`, id);
};
