import { WireError } from "../wire/errors.ts";
import type { FeatureSet } from "../wire/features.ts";
import { fitsBytes } from "../wire/fields.ts";
import { grades, isGrade } from "../wire/grade.ts";
import { MAX_LINE, maxNameBytes } from "../wire/limits.ts";
import { parseRequest } from "../wire/request.ts";
import { eventFrame as encode } from "../wire/request-frame.ts";
import { isSha256 } from "../wire/sha256-name.ts";
import type { NamedServer } from "../wire/surface-body.ts";
import type { Terms } from "./greeting.ts";
import type { Question } from "./question.ts";
import type { UncheckedEvent } from "./sensor-event.ts";

/**
 * The frame of an event. What the daemon would refuse for its shape is refused here, with words that say so.
 *
 * @throws WireError `unrepresentable`, `too_large`, or `bad_request` for a name that is none
 */
export const eventFrame = (
  id: string,
  event: UncheckedEvent,
  defaultPrincipal: string | null,
  features: FeatureSet,
): string => {
  const { action, phase } = event;
  checkName(action, "the action");
  if (action === "") throw new WireError("bad_request", "the action is empty");
  if (phase !== "call" && phase !== "result") throw new WireError("bad_request", "the phase is not call or result");
  const principal = event.principal ?? defaultPrincipal;
  if (principal !== null) checkName(principal, "the principal");
  if (event.span_id != null) checkName(event.span_id, "the span id");
  if (event.parent_principal != null) checkName(event.parent_principal, "the parent principal");
  if (event.call_id != null) checkName(event.call_id, "the call id");
  if (event.call_id === "") throw new WireError("bad_request", "the call id is empty");
  if (event.grade != null && !isGrade(event.grade)) {
    throw new WireError("bad_request", `the grade is not one of ${grades.join(", ")}`);
  }
  if (event.server != null) checkServer(event.server);
  return encode(id, principal === event.principal ? event : { ...event, principal }, features);
};

/** @throws WireError it is no server's name, or its credential is not said by a digest */
export const checkServer = ({ server, credential }: NamedServer): void => {
  checkName(server, "the server's name");
  if (server === "") throw new WireError("bad_request", "the server's name is empty");
  if (credential !== null && !isSha256(credential)) {
    throw new WireError("bad_request", "the credential is not sha256: and 64 hex digits");
  }
};

export const checkName = (name: unknown, what: string): void => {
  if (typeof name !== "string") throw new WireError("bad_request", `${what} is not a string`);
  if (!fitsBytes(name, maxNameBytes))
    throw new WireError("bad_request", `${what} is longer than ${maxNameBytes} bytes`);
};

/**
 * Makes a question's frame fit a daemon: made anew where that agreed to other features than the one it was made for, and not longer
 * than it reads. Made from the frame, not from the caller's objects, which may have changed since.
 *
 * @throws WireError the arguments need a feature that this daemon does not have, or are too long for it
 */
export const fitFrame = (question: Question, { features, maxFrameBytes }: Terms): void => {
  if ((question.subject === "outcome" || question.subject === "resume") && !features.call_id) {
    throw new WireError("bad_request", "this daemon keeps no transactions");
  }
  if (question.subject === "offline" && !features.offline) {
    throw new WireError("bad_request", "this daemon is told of nothing that was decided without it");
  }
  if (question.subject === "surface" && !features.surface) {
    throw new WireError("bad_request", "this daemon is told of no server's listing");
  }
  if (question.features !== features) {
    if (!sameText(question.features, features)) {
      const request = parseRequest(Buffer.from(question.frame), question.features);
      if (request.kind === "event")
        question.frame = encode(
          question.id,
          { ...request.event, grade: request.grade, server: request.server },
          features,
        );
    }
    question.features = features;
  }
  if (maxFrameBytes < MAX_LINE && Buffer.byteLength(question.frame) > maxFrameBytes) {
    throw new WireError(
      "too_large",
      `as a frame they are longer than the ${maxFrameBytes} bytes that the daemon reads`,
    );
  }
};

/** Do two peers read the same text as the same event? */
const sameText = (a: FeatureSet, b: FeatureSet): boolean =>
  a.escape === b.escape && a.call_id === b.call_id && a.grade === b.grade && a.surface === b.surface;
