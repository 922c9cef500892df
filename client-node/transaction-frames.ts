import { WireError } from "../wire/errors.ts";
import type { OutcomeBody, ResumeBody } from "../wire/request-bodies.ts";
import {
  outcomeFrame as encodeOutcome,
  resumeFrame as encodeResume,
  surfaceFrame as encodeSurface,
} from "../wire/request-frame.ts";
import type { SurfaceBody } from "../wire/surface-body.ts";
import { checkName, checkServer } from "./event-frame.ts";

/** Refused here, with words that say so, is what the daemon would refuse for its shape. @throws WireError */
export const outcomeFrame = (id: string, outcome: OutcomeBody): string => {
  checkId(outcome.call_id, "the call id");
  if (outcome.status !== "failed" && outcome.status !== "abandoned") {
    throw new WireError("bad_request", "the status is not failed or abandoned");
  }
  if (outcome.error_type !== null) checkId(outcome.error_type, "the error's type");
  return encodeOutcome(id, outcome);
};

/** @throws WireError an id or an action that is none */
export const resumeFrame = (id: string, resume: ResumeBody): string => {
  checkId(resume.approval_id, "the approval id");
  checkId(resume.call_id, "the call id");
  if (resume.action !== null) checkId(resume.action, "the action");
  return encodeResume(id, resume);
};

/** @throws WireError a server that is none, or a listing that does not fit a frame */
export const surfaceFrame = (id: string, surface: SurfaceBody): string => {
  checkServer(surface);
  return encodeSurface(id, surface);
};

const checkId = (id: unknown, what: string): void => {
  checkName(id, what);
  if (id === "") throw new WireError("bad_request", `${what} is empty`);
};
