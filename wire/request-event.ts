import { decodeValue } from "./decode-value.ts";
import { WireError } from "./errors.ts";
import type { Phase, ReceivedEvent } from "./event.ts";
import type { FeatureSet } from "./features.ts";
import { isObject, nonEmptyString, refuse, stringOrNull } from "./fields.ts";
import { type Grade, grades, isGrade } from "./grade.ts";
import { maxNameBytes } from "./limits.ts";
import { printableNames } from "./printable-name.ts";
import { parseNamedServer } from "./surface-body.ts";
import type { JsonObject, JsonValue, WireObject } from "./value.ts";

/**
 * The body `event`:
 *
 * - `action` string, non-empty; required.
 * - `args` object; required, never defaulted; value-decoded (codec.ts).
 * - `phase` `"call"` or `"result"`; absent is `call`. Null is refused.
 * - `principal`, `span_id`, `parent_principal` string or null; absent is null.
 * - `ts` finite number of seconds since the epoch, or null; absent is null.
 * - `call_id` string, non-empty, or null; only where the feature `call_id` was negotiated, else an unknown key.
 * - `grade` one of `async/enforce`, `async/monitor`, `sync/enforce`, `sync/monitor`, or null; absent is null. Only where the
 *   feature `grade` was negotiated, else an unknown key.
 * - `server` string, non-empty, and with it `credential` (`sha256:<hex>` or null); absent is no server. Only where the feature
 *   `surface` was negotiated, else unknown keys.
 *
 * Names are at most 1024 bytes. Throws `bad_request`.
 */
export const parseEvent = (json: JsonValue | undefined, id: string, features: FeatureSet): ReceivedEvent => {
  if (!isObject(json)) return refuse("event must be a JSON object", id);
  let action: JsonValue | undefined;
  let args: JsonValue | undefined;
  let phase: JsonValue | undefined;
  let principal: JsonValue | undefined;
  let span_id: JsonValue | undefined;
  let parent_principal: JsonValue | undefined;
  let ts: JsonValue | undefined;
  let call_id: JsonValue | undefined;
  let grade: JsonValue | undefined;
  let named = false;
  let unknown: string[] | undefined;
  const keys = Object.keys(json);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (key === "action") action = json.action;
    else if (key === "args") args = json.args;
    else if (key === "phase") phase = json.phase;
    else if (key === "principal") principal = json.principal;
    else if (key === "span_id") span_id = json.span_id;
    else if (key === "parent_principal") parent_principal = json.parent_principal;
    else if (key === "ts") ts = json.ts;
    else if (key === "call_id" && features.call_id) call_id = json.call_id;
    else if (key === "grade" && features.grade) grade = json.grade;
    else if ((key === "server" || key === "credential") && features.surface) named = true;
    else {
      if (unknown === undefined) unknown = [];
      unknown.push(key);
    }
  }
  if (unknown !== undefined) return refuse(`unknown event key(s): ${printableNames(unknown)}`, id);
  const actionName = nonEmptyString(action, "event.action", maxNameBytes, id);
  if (args === undefined) return refuse("event.args is required", id);
  if (!isObject(args)) return refuse("event.args must be a JSON object", id);
  const event = {
    action: actionName,
    args: decodeArgs(args, id, features),
    phase: parsePhase(phase, id),
    principal: stringOrNull(principal, "principal", maxNameBytes, id),
    span_id: stringOrNull(span_id, "span_id", maxNameBytes, id),
    parent_principal: stringOrNull(parent_principal, "parent_principal", maxNameBytes, id),
    ts: parseTime(ts, id),
    call_id: parseCallId(call_id, id),
  };
  return {
    event: Object.freeze(event),
    argsJson: args,
    grade: parseGrade(grade, id),
    server: named ? parseNamedServer(json, "event", id) : null,
  };
};

const decodeArgs = (args: JsonObject, id: string, features: FeatureSet): WireObject => {
  let decoded: ReturnType<typeof decodeValue>;
  try {
    decoded = decodeValue(args, features);
  } catch (error) {
    if (error instanceof WireError) throw new WireError(error.code, `event.args: ${error.message}`, id);
    throw error;
  }
  // The arguments themselves may be an envelope; bytes are no arguments.
  if (decoded instanceof Uint8Array) return refuse("event.args must be a JSON object", id);
  return decoded as WireObject;
};

const parsePhase = (phase: JsonValue | undefined, id: string): Phase => {
  if (phase === undefined) return "call";
  if (phase === "call" || phase === "result") return phase;
  return refuse("event.phase must be one of call, result", id);
};

const parseTime = (ts: JsonValue | undefined, id: string): number | null => {
  if (ts === undefined || ts === null) return null;
  return typeof ts === "number" ? ts : refuse("event.ts must be a number", id);
};

const parseGrade = (grade: JsonValue | undefined, id: string): Grade | null => {
  if (grade === undefined || grade === null) return null;
  return isGrade(grade) ? grade : refuse(`event.grade must be one of ${grades.join(", ")}`, id);
};

const parseCallId = (callId: JsonValue | undefined, id: string): string | null =>
  callId === undefined || callId === null ? null : nonEmptyString(callId, "event.call_id", maxNameBytes, id);
