import { Verdict } from "../wire/verdict.ts";
import { ask } from "./ask.ts";
import { BlockedError } from "./blocked-error.ts";
import type { EnforceOptions } from "./guard-options.ts";

/** What stands in the place of a result; null where it is delivered as it is. */
export type Replacement = { readonly value: unknown } | null;

/** Puts the view of a result to the guard. @throws BlockedError the result must not be delivered */
export const judgedResult = async (
  action: string,
  view: Readonly<Record<string, unknown>>,
  options: EnforceOptions,
): Promise<Replacement> => {
  const decision = await ask(action, view, "result", options);
  if (options.enforcement === "monitor") return null;
  switch (decision.verdict) {
    case Verdict.ALLOW:
      return null;
    case Verdict.MODIFY:
      return decision.modified_result === null ? null : { value: decision.modified_result };
    default:
      throw new BlockedError(decision, action);
  }
};
