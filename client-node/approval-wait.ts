import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";
import type { EnforceOptions } from "./guard-options.ts";
import { defaultEscalateDeadline_ms, firstPoll_ms, lastAnswer_ms, longestPoll_ms } from "./limits.ts";
import { oneLine } from "./one-line.ts";
import { reportOutcome } from "./outcome.ts";
import type { Permit } from "./permit.ts";
import { type Approval, askToResume, isPending, resumed } from "./resume-call.ts";

/**
 * Asks again and again whether the call is approved by now, and runs it as approved; not past the deadline, but for the answer to the last
 * question. A daemon that gives no verdict is
 * asked again too, since a restart denies nothing. Any verdict other than "not yet" ends the wait.
 *
 * @throws NotApprovedError nobody approved it in time
 * @throws BlockedError, ReplayedError as the daemon says
 */
export const waitForApproval = async (
  action: string,
  approval: Approval,
  escalation: Decision,
  options: EnforceOptions,
): Promise<Permit> => {
  const wait_ms = options.escalateDeadline_ms ?? defaultEscalateDeadline_ms;
  const deadline_ms = performance.now() + wait_ms;
  let pause_ms = firstPoll_ms;
  for (;;) {
    const left_ms = deadline_ms - performance.now();
    if (left_ms <= 0) throw tooLate(action, approval, escalation, wait_ms);
    await pause(Math.min(pause_ms, left_ms), options.signal ?? null);
    pause_ms = Math.min(2 * pause_ms, longestPoll_ms);
    const asking = verdictOrNone(action, approval, options);
    const decision = await within(asking, Math.max(deadline_ms - performance.now(), lastAnswer_ms));
    if (decision === undefined) {
      void abandonWhenLate(asking, options);
      throw tooLate(action, approval, escalation, wait_ms);
    }
    if (decision !== null && !isPending(decision, approval)) return resumed(action, approval, decision);
  }
};

/** Undefined where it does not come in time. */
const within = async <T>(answer: Promise<T>, ms: number): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Nobody runs what is let run after that. */
const abandonWhenLate = async (asking: Promise<Decision | null>, options: EnforceOptions): Promise<void> => {
  const decision = await asking;
  if (decision?.verdict === Verdict.MODIFY) await reportOutcome({ status: "abandoned" }, options);
};

/** Null where there is no verdict. */
const verdictOrNone = async (action: string, approval: Approval, options: EnforceOptions): Promise<Decision | null> => {
  try {
    return await askToResume(action, approval, options);
  } catch (error) {
    if (error instanceof BlockedError) return null;
    throw error;
  }
};

const tooLate = (action: string, { approvalId, callId }: Approval, escalation: Decision, wait_ms: number) =>
  new NotApprovedError(
    escalation,
    action,
    `nobody approved it within ${wait_ms / 1000} s, approval ${oneLine(approvalId)}`,
    callId,
  );

const pause = (ms: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
