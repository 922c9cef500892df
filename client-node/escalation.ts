import { NotApprovedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";
import { errorName } from "./error-name.ts";
import type { GuardOptions } from "./guard-options.ts";
import { oneLine } from "./one-line.ts";
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
 * Asks for a human's yes and returns the arguments that may run. They are a copy that no callback has seen, equal to what was
 * shown. Only a resolved `true` approves.
 *
 * @throws NotApprovedError no callback, a callback that throws or answers anything else, or an approval that is an operator's
 */
export const approvedArgs = async (
  action: string,
  args: Readonly<Record<string, unknown>>,
  decision: Decision,
  options: GuardOptions,
): Promise<Record<string, unknown>> => {
  const approvalId = decision.details?.approval_id ?? null;
  if (decision.details !== null && !approvableHere.includes(decision.details.code)) {
    const id = approvalId === null ? "" : `, approval ${oneLine(approvalId)}`;
    throw new NotApprovedError(decision, action, `an operator has to approve it${id}`);
  }
  if (options.onEscalate === undefined)
    throw new NotApprovedError(decision, action, "no `onEscalate` was given to ask");

  const runs = snapshot(args);
  const shown = freezeDeep(snapshot(runs));
  let answer: unknown;
  try {
    answer = await options.onEscalate(
      Object.freeze({ action, reason: oneLine(decision.reason), args: shown, approvalId }),
    );
  } catch (error) {
    throw new NotApprovedError(decision, action, `\`onEscalate\` threw ${errorName(error)}`);
  }
  if (answer !== true) throw new NotApprovedError(decision, action, "it was not approved");
  return runs;
};
