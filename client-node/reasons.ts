import { Unrepresentable, WireError } from "../wire/errors.ts";
import type { OfflineDecision } from "../wire/offline-body.ts";
import { errorName } from "./error-name.ts";
import { oneLine } from "./one-line.ts";
import type { Subject } from "./question.ts";
import { TokenUnread } from "./token-source.ts";

/** The words of the client's own refusals. The first two are wire v1's. */

export const refusedByDaemon = (path: string, code: string, message: string): string =>
  oneLine(`guard daemon refused the request (${code}) at ${path}: ${message}`);

/** A `WireError` is the daemon's doing, or its connection's; any other error is the way there. */
export const noVerdict = (path: string, error: Error): string =>
  error instanceof WireError
    ? refusedByDaemon(path, error.code, error.message)
    : oneLine(`guard daemon unreachable at ${path}: ${error.name}: ${error.message}`);

/** Refused here, before anything was sent: says so, and never quotes the value. */
export const notPutToGuard = (action: string, subject: Subject, error: unknown): string => {
  const name = `${action}`;
  const shown = name.length <= longestShownAction ? name : `${name.slice(0, longestShownAction)}...`;
  return oneLine(`${subjects[subject]} of '${shown}' cannot be put to the guard: ${whatIsWrong(error)}`);
};

const subjects: Readonly<Record<Subject, string>> = Object.freeze({
  call: "the arguments",
  result: "the result",
  outcome: "the outcome",
  resume: "the approval",
  offline: "what was decided",
  surface: "the listing",
});

const longestShownAction = 128;

const whatIsWrong = (error: unknown): string => {
  if (error instanceof Unrepresentable) {
    return `${error.what}${error.where === "" ? "" : ` at ${error.where}`} has no JSON form`;
  }
  // Any other error was thrown by the value itself (a getter, a proxy), and its message may quote it.
  if (!(error instanceof WireError)) return errorName(error);
  return error.code === "too_large" ? "longer than a frame may be" : error.message;
};

/** There was no token to show. */
export const notConnected = (error: unknown): string =>
  oneLine(`not put to the guard: ${error instanceof TokenUnread ? error.message : errorName(error)}`);

export const tooManyWaiting = (waiting: number): string =>
  `not put to the guard: ${waiting} calls are waiting for it already; ask fewer at once`;

export class SocketTimeout extends Error {
  override readonly name = "SocketTimeout";
}

export const noReply = (timeout_ms: number): SocketTimeout =>
  new SocketTimeout(`no reply within ${timeout_ms / 1000}s`);

export const allowedUnseen = (action: string, reason: string): string =>
  oneLine(`allowed '${action}' without a verdict: ${reason}`);

/** Of a call that the fallback policy decided: by which rule of it, and why nobody else was asked. */
export const decidedOffline = ({ policy, rule, verdict }: OfflineDecision, reason: string): string => {
  const by = rule === null ? "no rule allows it" : `rule ${rule}`;
  return oneLine(`${verdict === "ALLOW" ? "allowed" : "blocked"} by the fallback policy ${policy} (${by}): ${reason}`);
};

export const toldOffline = (action: string, decided: string): string => oneLine(`'${action}' was ${decided}`);

/** Nobody listens, and the mark of a stop stands beside the socket. */
export const stoppedBefore = (reason: string): string =>
  oneLine(`${reason}; everything was stopped before, and no fallback decides until the daemon says that it is over`);
