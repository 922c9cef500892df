import { Verdict } from "../wire/verdict.ts";
import { ask } from "./ask.ts";
import { BlockedError } from "./blocked-error.ts";
import { checkedOptions, type EnforceOptions } from "./guard-options.ts";
import { isPlainObject } from "./plain-object.ts";
import { recordedForm } from "./replay.ts";

/**
 * Puts a result to the guard before it is delivered. A plain object is judged as it is, anything else as `{result: value}`
 * (nothing at all as `{result: null}`). Resolves to the original, or to what a rule replaced it with. The
 * effects of the call stand either way.
 *
 * @throws BlockedError the result must not be delivered; an escalated result is one of these
 */
export const enforceToolResult = async <T>(action: string, result: T, options: EnforceOptions): Promise<T> => {
  checkedOptions(options);
  const view = options.engine.replays === true ? recordedForm(result) : resultView(result);
  const decision = await ask(action, view, "result", options);
  if (options.enforcement === "monitor") return result;
  switch (decision.verdict) {
    case Verdict.ALLOW:
      return result;
    case Verdict.MODIFY:
      // What replaces a result need not have its type: a rule may answer a string for an object.
      return decision.modified_result === null ? result : (decision.modified_result as T);
    default:
      throw new BlockedError(decision, action);
  }
};

const resultView = (result: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(result) ? result : { result: result ?? null };
