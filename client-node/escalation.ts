import { canonical } from "../wire/canonical.ts";
import { encodeValue } from "../wire/encode-value.ts";
import { waitForApproval } from "./approval-wait.ts";
import { NotApprovedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";
import { errorName } from "./error-name.ts";
import type { EnforceOptions } from "./guard-options.ts";
import { oneLine } from "./one-line.ts";
import { reportOutcome } from "./outcome.ts";
import type { Permit } from "./permit.ts";
import { askToResume, resumed } from "./resume-call.ts";
import { freezeDeep, snapshot } from "./snapshot.ts";

/** What `onEscalate` is asked. Frozen. */
export interface Escalation {
  readonly action: string;
  /** One line of at most 512 bytes. */
  readonly reason: string;
  /** The arguments that will run if this is approved: after rewrites, and nothing else runs. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The daemon's approval, where it made one. */
  readonly approvalId: string | null;
}

/** Codes for which the daemon leaves the yes to the client; any other code is for somebody else to approve. */
const approvableHere: readonly string[] = ["escalated", "unknown_escalated"];

/**
 * What an ESCALATE permits, once whoever has to has said yes. A call that the daemon keeps an approval for runs by resuming it,
 * so that it is authorized once; any other runs as it was shown. The daemon takes a client's question to resume what that client may
 * approve for its yes, so that question is asked after `onEscalate` has approved, or where only an operator can grant.
 *
 * @throws NotApprovedError nobody approved it
 * @throws BlockedError, ReplayedError the daemon does not run it all the same
 */
export const permitAfterEscalation = async (
  action: string,
  args: Readonly<Record<string, unknown>>,
  decision: Decision,
  options: EnforceOptions,
): Promise<Permit> => {
  const { details } = decision;
  const callId = options.callId ?? null;
  const approvalId = details?.approval_id ?? null;
  if (details !== null && !approvableHere.includes(details.code)) {
    if (
      options.escalate === "wait" &&
      details.code === "escalated_operator" &&
      approvalId !== null &&
      callId !== null
    ) {
      return waitForApproval(action, { approvalId, callId }, decision, options);
    }
    const id = approvalId === null ? "" : `, approval ${oneLine(approvalId)}`;
    throw new NotApprovedError(decision, action, `an operator has to approve it${id}`, callId);
  }
  const runs = await approvedHere(action, args, decision, options);
  if (approvalId === null) return { args: runs, transactionId: null };
  if (callId === null) throw new NotApprovedError(decision, action, "a call without an id cannot be resumed");
  const approval = { approvalId, callId };
  const permit = resumed(action, approval, await askToResume(action, approval, options));
  if (isSameCall(runs, permit.args)) return permit;
  await reportOutcome({ status: "abandoned" }, options);
  throw new NotApprovedError(decision, action, "what would run now is not what was approved", callId);
};

/**
 * Asks for a human's yes and returns the arguments that may run. They are a copy that no callback has seen, equal to what was
 * shown. Only a resolved `true` approves.
 *
 * @throws NotApprovedError no callback, or one that throws or answers anything else
 */
const approvedHere = async (
  action: string,
  args: Readonly<Record<string, unknown>>,
  decision: Decision,
  { onEscalate, callId = null }: EnforceOptions,
): Promise<Record<string, unknown>> => {
  const notApproved = (why: string) => new NotApprovedError(decision, action, why, callId);
  if (onEscalate === undefined) throw notApproved("no `onEscalate` was given to ask");
  const runs = snapshot(args);
  const shown = freezeDeep(snapshot(runs));
  const approvalId = decision.details?.approval_id ?? null;
  let answer: unknown;
  try {
    answer = await onEscalate(Object.freeze({ action, reason: oneLine(decision.reason), args: shown, approvalId }));
  } catch (error) {
    throw notApproved(`\`onEscalate\` threw ${errorName(error)}`);
  }
  if (answer !== true) throw notApproved("it was not approved");
  return runs;
};

/** By what is sent for them: a set that was shown comes back as an array. */
const isSameCall = (shown: Readonly<Record<string, unknown>>, runs: Readonly<Record<string, unknown>>): boolean =>
  textOf(shown) === textOf(runs);

const textOf = (args: Readonly<Record<string, unknown>>): string => canonical(encodeValue(args, { escape: true }));
