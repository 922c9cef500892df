import { canonical, canonicalJson, quote } from "./canonical.ts";
import { encodeValue } from "./encode-value.ts";
import { Unrepresentable } from "./errors.ts";
import { type FeatureSet, listFeatures } from "./features.ts";
import { closeFrame } from "./frame.ts";
import type { OfflineBody } from "./offline-body.ts";
import type { HelloBody, OutcomeBody, ResumeBody } from "./request-bodies.ts";
import { type EventToSend, encodeEvent } from "./request-event-frame.ts";
import type { SurfaceBody } from "./surface-body.ts";
import type { JsonObject } from "./value.ts";

/**
 * The client's frames: canonical JSON and a newline. Each throws `Unrepresentable` for a value that has no JSON form and `too_large`
 * for a frame above MAX_LINE, before anything is sent; both carry the request's id.
 */
const overrun = "frame exceeded limit";

const frame = (kind: string, body: () => string, id: string): string => {
  let text: string;
  try {
    // `health` and `event`, `hello` sort before `id`; the others after it.
    text =
      kind < "id" ? `{"${kind}":${body()},"id":${quote(id)},"v":1}` : `{"id":${quote(id)},"${kind}":${body()},"v":1}`;
  } catch (error) {
    throw error instanceof Unrepresentable ? new Unrepresentable(error.what, error.where, id) : error;
  }
  return closeFrame(text, overrun, id);
};

/** A call or a result. `call_id` is sent only with the feature. */
export const eventFrame = (id: string, event: EventToSend, features: FeatureSet): string =>
  frame("event", () => encodeEvent(event, features), id);

/** `features` is what the client knows; `nonce` and `token` are left out where they are null. */
export const helloFrame = (id: string, hello: HelloBody): string =>
  frame("hello", () => canonical(present({ ...hello, features: listFeatures(hello.features) })), id);

/** The lists are sent as they are, not value-encoded: they are JSON off a server. */
export const surfaceFrame = (id: string, surface: SurfaceBody): string =>
  frame("surface", () => canonicalJson(encodeValue(present(surface), { escape: false }), 1), id);

export const outcomeFrame = (id: string, outcome: OutcomeBody): string =>
  frame("outcome", () => canonical(present(outcome)), id);

export const resumeFrame = (id: string, resume: ResumeBody): string =>
  frame("resume", () => canonical(present(resume)), id);

/** Every key of a decision is sent, null ones too. */
export const offlineFrame = (id: string, offline: OfflineBody): string =>
  frame("offline", () => canonical({ decisions: offline.decisions.map((decision) => ({ ...decision })) }), id);

export const healthFrame = (id: string): string => frame("health", () => "{}", id);

/** Without the keys that are null: absent is how they are said not to be there. */
const present = (body: object): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
