import { Verdict } from "../wire/verdict.ts";
import { ask, blocked } from "./ask.ts";
import { BlockedError } from "./blocked-error.ts";
import { approvedArgs } from "./escalation.ts";
import { checkedOptions, type EnforceOptions } from "./guard-options.ts";
import { isPlainObject } from "./plain-object.ts";
import { rewrittenArgs } from "./rewrite.ts";
import { snapshot } from "./snapshot.ts";

/**
 * Puts a call to the guard before it runs. Resolves to the arguments to run it with: a shallow copy, rewritten where a rule
 * said so.
 *
 * @throws BlockedError the call must not run
 * @throws NotApprovedError it needs a human's yes and did not get one
 */
export const enforceToolCall = async (
  action: string,
  args: Readonly<Record<string, unknown>> | null | undefined,
  options: EnforceOptions,
): Promise<Record<string, unknown>> => {
  checkedOptions(options);
  const copy = ownArgs(action, args);
  // Where a human may be asked, what is judged is a copy of its own: nothing can change it before it is shown and run.
  const judged = options.onEscalate === undefined ? copy : snapshot(copy);
  const decision = await ask(action, judged, "call", options);
  if (options.enforcement === "monitor") return copy;
  switch (decision.verdict) {
    case Verdict.ALLOW:
      return copy;
    case Verdict.MODIFY:
      return rewrittenArgs(copy, decision);
    case Verdict.ESCALATE:
      return approvedArgs(action, rewrittenArgs(judged, decision), decision, options);
    default:
      throw new BlockedError(decision, action);
  }
};

const ownArgs = (action: string, args: unknown): Record<string, unknown> => {
  if (args === null || args === undefined) return {};
  if (isPlainObject(args)) return { ...args };
  throw blocked(action, `the arguments of '${action}' cannot be put to the guard: they are not a plain object`);
};
