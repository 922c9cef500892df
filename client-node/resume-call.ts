import { Verdict } from "../wire/verdict.ts";
import { answered, blocked } from "./ask.ts";
import { NotApprovedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";
import { checkedOptions, type EnforceOptions } from "./guard-options.ts";
import { oneLine } from "./one-line.ts";
import type { Permit } from "./permit.ts";
import { refusalOf } from "./replay.ts";

/** An approval and the call that it is for, as a `NotApprovedError` carries them. */
export interface Approval {
  readonly approvalId: string;
  readonly callId: string;
}

/**
 * Asks the daemon to run an approved call. Resolves to the arguments to run it with: the whole of what was approved, as today's rules leave
 * it. Its result is put to the guard under the same call id.
 *
 * Where the client itself may approve (`decision.details.code` is `escalated`), asking is saying yes. `monitor` changes nothing here: the
 * arguments are the daemon's.
 *
 * @throws NotApprovedError nobody approved it yet
 * @throws BlockedError it is denied, expired, revoked, not this call's, or blocked by today's rules
 * @throws ReplayedError it ran already; the error has the recorded result
 */
export const resumeToolCall = async (
  action: string,
  approval: Approval,
  options: EnforceOptions,
): Promise<Record<string, unknown>> => {
  checkedOptions(options);
  return resumed(action, approval, await askToResume(action, approval, options)).args;
};

/** The daemon's answer to one question whether the call may run by now. */
export const askToResume = async (
  action: string,
  { approvalId, callId }: Approval,
  { engine }: EnforceOptions,
): Promise<Decision> => {
  if (typeof engine.resume !== "function") throw blocked(action, "the engine of this guard cannot resume a call");
  return answered(action, "call", engine.resume.bind(engine, approvalId, { callId, action }));
};

/** What an answer to that question permits. @throws BlockedError, NotApprovedError, ReplayedError nothing */
export const resumed = (action: string, { approvalId, callId }: Approval, decision: Decision): Permit => {
  switch (decision.verdict) {
    case Verdict.ALLOW:
      throw blocked(action, "the guard resumed a call and did not say with which arguments");
    case Verdict.MODIFY:
      if (decision.modified_args === null || !decision.replaces_args) {
        throw blocked(action, "the guard resumed a call without the whole of its arguments");
      }
      return { args: { ...decision.modified_args }, transactionId: decision.details?.transaction_id ?? null };
    case Verdict.ESCALATE:
      throw new NotApprovedError(decision, action, `it is not approved yet, approval ${oneLine(approvalId)}`, callId);
    default:
      throw refusalOf(decision, action);
  }
};

/** Does the answer say that nobody has decided on this very approval yet? */
export const isPending = ({ verdict, details }: Decision, { approvalId }: Approval): boolean =>
  verdict === Verdict.ESCALATE && details?.code === "approval_pending" && details.approval_id === approvalId;
