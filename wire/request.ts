import { WireError } from "./errors.ts";
import type { ReceivedEvent } from "./event.ts";
import type { FeatureName, FeatureSet } from "./features.ts";
import { fitsBytes, refuse } from "./fields.ts";
import { assertVersion, decodeLine } from "./frame.ts";
import { maxRequestIdBytes } from "./limits.ts";
import { type OfflineBody, parseOffline } from "./offline-body.ts";
import { printableNames } from "./printable-name.ts";
import {
  type HelloBody,
  type OutcomeBody,
  parseHealth,
  parseHello,
  parseOutcome,
  parseResume,
  type ResumeBody,
} from "./request-bodies.ts";
import { parseEvent } from "./request-event.ts";
import { parseSurface, type SurfaceBody } from "./surface-body.ts";
import type { JsonValue } from "./value.ts";

/**
 * What a client sends: one JSON object with exactly `v`, `id` and one body. `v` is the number 1. `id` is a non-empty string
 * of at most 256 bytes; the answer repeats it. The body's key is the kind.
 *
 * - `event`: a call or a result to be judged. Answered by a decision.
 * - `hello`: what the client is and knows. Answered by `hello`. Only as a connection's first frame, which the daemon checks.
 * - `surface` (feature `surface`): all that an MCP server listed. Answered by a decision.
 * - `outcome` (feature `call_id`): an authorized call that failed or was abandoned. Answered by a decision.
 * - `offline` (feature `offline`): what was decided while the daemon could not be reached. Answered by a decision.
 * - `resume` (feature `call_id`): run an approved call. Answered by a decision.
 * - `health`: answered by `health`.
 */
export type Request =
  | ({ readonly kind: "event"; readonly id: string } & ReceivedEvent)
  | { readonly kind: "hello"; readonly id: string; readonly hello: HelloBody }
  | { readonly kind: "surface"; readonly id: string; readonly surface: SurfaceBody }
  | { readonly kind: "outcome"; readonly id: string; readonly outcome: OutcomeBody }
  | { readonly kind: "resume"; readonly id: string; readonly resume: ResumeBody }
  | { readonly kind: "offline"; readonly id: string; readonly offline: OfflineBody }
  | { readonly kind: "health"; readonly id: string };

export type RequestKind = Request["kind"];

/** Which feature a body needs; null where it needs none. */
const bodies: Readonly<Record<RequestKind, FeatureName | null>> = Object.freeze({
  event: null,
  hello: null,
  surface: "surface",
  outcome: "call_id",
  resume: "call_id",
  offline: "offline",
  health: null,
});

/**
 * Parses one request line (without or with its newline). The order is wire v1's: strict JSON, object, version, id, keys,
 * body. Throws `WireError`: `bad_version`, or `bad_request`; its id is the frame's once the version was right and the id is
 * one that can be repeated, else empty.
 */
export const parseRequest = (line: Uint8Array, features: FeatureSet): Request => {
  const frame = decodeLine(line);
  let v: JsonValue | undefined;
  let id: JsonValue | undefined;
  let kind: RequestKind | undefined;
  let body: JsonValue | undefined;
  let bodyCount = 0;
  let unknown: string[] | undefined;
  const keys = Object.keys(frame);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    switch (key) {
      case "v":
        v = frame.v;
        break;
      case "id":
        id = frame.id;
        break;
      case "event":
      case "hello":
      case "surface":
      case "outcome":
      case "resume":
      case "offline":
      case "health":
        kind = key;
        body = frame[key];
        bodyCount++;
        break;
      default:
        if (unknown === undefined) unknown = [];
        unknown.push(key);
    }
  }
  assertVersion(v);
  const echoed = typeof id === "string" && fitsBytes(id, maxRequestIdBytes) ? id : "";
  if (unknown !== undefined) refuse(`unknown request key(s): ${printableNames(unknown)}`, echoed);
  if (typeof id !== "string" || id === "") return refuse("id must be a non-empty string", "");
  if (echoed === "") return refuse(`id must be at most ${maxRequestIdBytes} bytes`, "");
  // Wire v1's words for a frame without its only body.
  if (kind === undefined) return refuse("event must be a JSON object", id);
  if (bodyCount > 1) {
    return refuse(`a frame holds exactly one body, not ${bodyCount}`, id);
  }
  const needed = bodies[kind];
  if (needed !== null && !features[needed]) {
    throw new WireError("bad_request", `${kind} needs the feature ${needed}, which was not negotiated`, id);
  }
  return parseBody(kind, body, id, features);
};

const parseBody = (kind: RequestKind, body: JsonValue | undefined, id: string, features: FeatureSet): Request => {
  switch (kind) {
    case "event": {
      const { event, argsJson, grade, server } = parseEvent(body, id, features);
      return { kind, id, event, argsJson, grade, server };
    }
    case "hello":
      return { kind, id, hello: parseHello(body, id) };
    case "surface":
      return { kind, id, surface: parseSurface(body, id) };
    case "outcome":
      return { kind, id, outcome: parseOutcome(body, id) };
    case "resume":
      return { kind, id, resume: parseResume(body, id) };
    case "offline":
      return { kind, id, offline: parseOffline(body, id) };
    case "health":
      parseHealth(body, id);
      return { kind, id };
  }
};
