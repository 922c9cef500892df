import { WireError } from "./errors.ts";
import { type FeatureSet, parseFeatures } from "./features.ts";
import { fitsBytes, nonEmptyString, objectField, onlyKeys, own, refuse } from "./fields.ts";
import { maxNameBytes, maxNonceBytes, maxTokenBytes, minNonceBytes } from "./limits.ts";
import { isScopePin } from "./scope-pin.ts";
import type { JsonValue } from "./value.ts";

/**
 * `{client, features, nonce?, scope?, token?}`.
 * `client` names the program and its runtime (`interlock-guard/1.0.0 node/22.1.0`), at most 1024 bytes. `features` is an
 * array of names; unknown ones are ignored. `nonce` identifies the session for a resend: 16 to 128 printable ASCII
 * characters without spaces, unpredictable (16 random bytes in base64url do), required with the feature `resend`. `scope` is the
 * pin of a scope document (scope-pin.ts), required with the feature of that name and refused without it: a client that pins
 * is never taken for one that does not. `token` is the bearer token that binds an identity to the connection, at most 8192 bytes.
 */
export interface HelloBody {
  readonly client: string;
  readonly features: FeatureSet;
  readonly nonce: string | null;
  readonly scope: string | null;
  readonly token: string | null;
}

/**
 * `{call_id, status, error_type?}`: what became of an authorized call that has no result. `failed`: the tool raised, and
 * `error_type` names the error's class, never its message. `abandoned`: the client did not run it.
 */
export interface OutcomeBody {
  readonly call_id: string;
  readonly status: "failed" | "abandoned";
  readonly error_type: string | null;
}

/**
 * `{approval_id, call_id, action?}`: run the call of that id under that approval. `action` is what the client is about to run: with
 * it an approval of another action is refused, so that its arguments never reach another tool.
 */
export interface ResumeBody {
  readonly approval_id: string;
  readonly call_id: string;
  readonly action: string | null;
}

export const parseHello = (json: JsonValue | undefined, id: string): HelloBody => {
  const hello = objectField(json, "hello", id);
  onlyKeys(hello, ["client", "features", "nonce", "scope", "token"], "hello", id);
  const client = nonEmptyString(own(hello, "client"), "hello.client", maxNameBytes, id);
  const features = parseFeatures(own(hello, "features"), "hello.features", id);
  const nonce = parseNonce(own(hello, "nonce"), id);
  if (features.resend && nonce === null) return refuse("hello.nonce is required with the feature resend", id);
  const scope = parsePin(own(hello, "scope"), features, id);
  const token = parseHelloToken(own(hello, "token"), id);
  return Object.freeze({ client, features, nonce, scope, token });
};

const parsePin = (json: JsonValue | undefined, { scope }: FeatureSet, id: string): string | null => {
  if (json === undefined) return scope ? refuse("hello.scope is required with the feature scope", id) : null;
  if (!scope) return refuse("hello.scope needs the feature scope", id);
  return typeof json === "string" && isScopePin(json)
    ? json
    : refuse("hello.scope must be sha256: and 64 hex digits", id);
};

/** By a code of its own: `bad_request` is what a daemon of version 1 answers, and would be read as one that knows no tokens. */
const parseHelloToken = (json: JsonValue | undefined, id: string): string | null => {
  if (json === undefined) return null;
  if (typeof json === "string" && json !== "" && fitsBytes(json, maxTokenBytes)) return json;
  throw new WireError("token_malformed", `hello.token must be text of 1 to ${maxTokenBytes} bytes`, id);
};

const parseNonce = (json: JsonValue | undefined, id: string): string | null => {
  if (json === undefined) return null;
  const nonce = nonEmptyString(json, "hello.nonce", maxNonceBytes, id);
  if (nonce.length < minNonceBytes) return refuse(`hello.nonce must be at least ${minNonceBytes} characters`, id);
  return /^[\x21-\x7e]+$/.test(nonce) ? nonce : refuse("hello.nonce must be printable ASCII without spaces", id);
};

const optional = (json: JsonValue | undefined, where: string, maxBytes: number, id: string): string | null =>
  json === undefined ? null : nonEmptyString(json, where, maxBytes, id);

export const parseOutcome = (json: JsonValue | undefined, id: string): OutcomeBody => {
  const outcome = objectField(json, "outcome", id);
  onlyKeys(outcome, ["call_id", "status", "error_type"], "outcome", id);
  const call_id = nonEmptyString(own(outcome, "call_id"), "outcome.call_id", maxNameBytes, id);
  const status = own(outcome, "status");
  if (status !== "failed" && status !== "abandoned") {
    return refuse("outcome.status must be one of abandoned, failed", id);
  }
  const error_type = optional(own(outcome, "error_type"), "outcome.error_type", maxNameBytes, id);
  return Object.freeze({ call_id, status, error_type });
};

export const parseResume = (json: JsonValue | undefined, id: string): ResumeBody => {
  const resume = objectField(json, "resume", id);
  onlyKeys(resume, ["approval_id", "call_id", "action"], "resume", id);
  return Object.freeze({
    approval_id: nonEmptyString(own(resume, "approval_id"), "resume.approval_id", maxNameBytes, id),
    call_id: nonEmptyString(own(resume, "call_id"), "resume.call_id", maxNameBytes, id),
    action: optional(own(resume, "action"), "resume.action", maxNameBytes, id),
  });
};

/** `{}`: it has no keys. */
export const parseHealth = (json: JsonValue | undefined, id: string): void => {
  onlyKeys(objectField(json, "health", id), [], "health", id);
};
