import { type HealthAnswer, type HelloAnswer, parseHealthAnswer, parseHelloAnswer } from "./answer-bodies.ts";
import { parseDecision } from "./answer-decision.ts";
import type { Decision } from "./decision.ts";
import { isWireErrorCode, WireError, type WireErrorCode } from "./errors.ts";
import type { FeatureSet } from "./features.ts";
import { noFeatures } from "./features.ts";
import { isObject, onlyKeys, own, refuse } from "./fields.ts";
import { assertVersion, decodeLine } from "./frame.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** What a daemon sends. `error` means "no verdict": its id may be empty, and the call must not run. */
export type Answer =
  | { readonly kind: "answer"; readonly id: string; readonly decision: Decision }
  | { readonly kind: "hello"; readonly id: string; readonly hello: HelloAnswer }
  | { readonly kind: "health"; readonly id: string; readonly health: HealthAnswer }
  | { readonly kind: "error"; readonly id: string; readonly error: WireError };

/**
 * Parses one line of a daemon. Throws `WireError` (`bad_version`, `bad_request`) for everything that is not exactly an answer,
 * so that nothing half understood becomes an ALLOW; its id is the line's where that is a string. An error frame is looked for before the id and the
 * other keys are checked, so one with the id `""` is read. With `expectedId` another id is refused; a pipelining
 * caller leaves it out and finds the request by the answer's id.
 */
export const parseAnswer = (line: Uint8Array, features: FeatureSet, expectedId?: string): Answer => {
  const frame = decodeLine(line);
  assertVersion(own(frame, "v"));
  const sentId = own(frame, "id");
  const echoed = typeof sentId === "string" ? sentId : "";
  if (Object.hasOwn(frame, "error")) return { kind: "error", id: echoed, error: readError(frame.error, echoed) };
  if (typeof sentId !== "string" || sentId === "") return refuse("id must be a non-empty string", "");
  if (expectedId !== undefined && sentId !== expectedId) return refuse("the answer's id is not the request's", sentId);
  return parseBody(frame, sentId, features);
};

const parseBody = (frame: JsonObject, id: string, features: FeatureSet): Answer => {
  if (Object.hasOwn(frame, "hello")) {
    onlyKeys(frame, ["hello", "id", "v"], "response", id);
    return { kind: "hello", id, hello: parseHelloAnswer(frame.hello, id) };
  }
  if (Object.hasOwn(frame, "health")) {
    onlyKeys(frame, ["health", "id", "v"], "response", id);
    return { kind: "health", id, health: parseHealthAnswer(frame.health, id) };
  }
  return { kind: "answer", id, decision: parseDecision(frame, id, features) };
};

/** Lenient, as every error blocks: what is missing or unknown is read as `internal`. */
const readError = (json: JsonValue | undefined, id: string): WireError => {
  if (!isObject(json)) return new WireError("internal", "", id);
  const code = own(json, "code");
  const message = own(json, "message");
  const known: WireErrorCode = isWireErrorCode(code) ? code : "internal";
  return new WireError(known, typeof message === "string" ? message : "", id);
};

/** The decision in an answer to one request. Throws the error that an error frame carries. */
export const parseResponse = (line: Uint8Array, expectedId: string, features: FeatureSet = noFeatures): Decision => {
  const answer = parseAnswer(line, features, expectedId);
  if (answer.kind === "error") throw answer.error;
  return answer.kind === "answer" ? answer.decision : refuse(`a decision was expected, not ${answer.kind}`, answer.id);
};
