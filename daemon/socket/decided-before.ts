import type { Ledger } from "../ledger/record.ts";
import type { Plan, Settled } from "../transactions/plan.ts";
import type { AskedQuestion } from "./asked-question.ts";
import type { OpenCalls } from "./open-calls.ts";

/** What remembers which receipt decided a call. */
interface DecidedCalls {
  readonly openCalls: Pick<OpenCalls, "decidedOf">;
  readonly ledger: Pick<Ledger, "decidedCall">;
}

/**
 * The number of the receipt by which the call of this result, outcome or resume was decided. Of a transaction that it closes,
 * whoever asks: the store has compared action and principal. Else only of a call that the same session put under this id and
 * action: anybody may name an id. Null where that is not known, and for a call.
 */
export const decidedBefore = (
  { asking, session }: Pick<AskedQuestion, "asking" | "session">,
  plan: Plan | null,
  settled: Settled | null,
  { openCalls, ledger }: DecidedCalls,
): number | null => {
  const { event } = asking.received;
  if (event.phase === "call" && asking.resume === null) return null;
  if (settled?.kind === "closed" && (plan?.kind === "close" || plan?.kind === "fail")) {
    const decided = openCalls.decidedOf(plan.call_id);
    if (decided !== null) return decided;
  }
  const { call_id, action } = event;
  return session.key === null || call_id === null ? null : ledger.decidedCall(session.key, { call_id, action });
};
