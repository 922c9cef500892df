import { Verdict } from "../wire/verdict.ts";
import { answered } from "./ask.ts";
import { errorClass } from "./error-name.ts";
import type { EnforceOptions } from "./guard-options.ts";

/** `failed`: the tool raised `error`, of which only the class is told. `abandoned`: the call was not run. */
export type Outcome = { readonly status: "failed"; readonly error: unknown } | { readonly status: "abandoned" };

/**
 * Tells the daemon what became of a call that may run and has no result, by the call id that it was put under; the next
 * such call is then judged afresh. Never rejects, as it is told beside an error of the caller's own. False where it was not recorded:
 * without a call id, by an engine that is not told, by a daemon that knows no such call or does not answer.
 */
export const reportOutcome = async (outcome: Outcome, options: EnforceOptions): Promise<boolean> => {
  try {
    const { engine, callId } = options;
    if (typeof callId !== "string" || typeof engine.outcome !== "function") return false;
    const error_type = outcome.status === "failed" ? errorClass(outcome.error) : null;
    const body = { call_id: callId, status: outcome.status, error_type };
    const tell = engine.outcome.bind(engine, body);
    return (await answered("outcome", "call", tell)).verdict === Verdict.ALLOW;
  } catch {
    return false;
  }
};
