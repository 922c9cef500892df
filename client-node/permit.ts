import { Verdict } from "../wire/verdict.ts";
import { ask, blocked } from "./ask.ts";
import type { Decision } from "./decision.ts";
import { permitAfterEscalation } from "./escalation.ts";
import { checkedOptions, type EnforceOptions } from "./guard-options.ts";
import { type Outcome, reportOutcome } from "./outcome.ts";
import { isPlainObject } from "./plain-object.ts";
import { refusalOf } from "./replay.ts";
import { rewrittenArgs } from "./rewrite.ts";
import { snapshot } from "./snapshot.ts";

/** A call that may run. */
export interface Permit {
  readonly args: Record<string, unknown>;
  /** What the daemon holds open for this call until it hears of its end; null where it holds nothing. */
  readonly transactionId: string | null;
}

/** Puts a call to the guard. @throws BlockedError, NotApprovedError, ReplayedError it must not run */
export const permitCall = async (
  action: string,
  args: Readonly<Record<string, unknown>> | null | undefined,
  options: EnforceOptions,
): Promise<Permit> => {
  checkedOptions(options);
  options.signal?.throwIfAborted();
  const copy = ownArgs(action, args);
  // Where somebody may be asked, what is judged is a copy of its own: nothing can change it before it is shown and run.
  const judged = options.onEscalate === undefined ? copy : snapshot(copy);
  const decision = await ask(action, judged, "call", options);
  const permit = await judgedCall(action, copy, judged, decision, options);
  if (options.signal?.aborted === true) {
    await abandon(permit, options);
    throw options.signal.reason;
  }
  return permit;
};

const judgedCall = async (
  action: string,
  copy: Record<string, unknown>,
  judged: Record<string, unknown>,
  decision: Decision,
  options: EnforceOptions,
): Promise<Permit> => {
  const transactionId = decision.details?.transaction_id ?? null;
  switch (decision.verdict) {
    case Verdict.ALLOW:
      return { args: copy, transactionId };
    case Verdict.MODIFY:
      return { args: options.enforcement === "monitor" ? copy : rewrittenArgs(copy, decision), transactionId };
    case Verdict.ESCALATE:
      if (options.enforcement === "monitor") return { args: copy, transactionId: null };
      return permitAfterEscalation(action, rewrittenArgs(judged, decision), decision, options);
    default:
      if (options.enforcement === "monitor") return { args: copy, transactionId: null };
      throw refusalOf(decision, action);
  }
};

/** A permit that is not used. The daemon is told only of calls that it holds something for: any other costs nothing more. */
export const abandon = (permit: Permit, options: EnforceOptions): Promise<boolean> =>
  report(permit, { status: "abandoned" }, options);

/** A permitted call whose tool raised `error`. */
export const fail = (permit: Permit, error: unknown, options: EnforceOptions): Promise<boolean> =>
  report(permit, { status: "failed", error }, options);

const report = async (permit: Permit, outcome: Outcome, options: EnforceOptions): Promise<boolean> =>
  permit.transactionId !== null && reportOutcome(outcome, options);

const ownArgs = (action: string, args: unknown): Record<string, unknown> => {
  if (args === null || args === undefined) return {};
  if (isPlainObject(args)) return { ...args };
  throw blocked(action, `the arguments of '${action}' cannot be put to the guard: they are not a plain object`);
};
