import { Verdict } from "../wire/verdict.ts";
import { BlockedError, ReplayedError } from "./blocked-error.ts";
import type { Decision } from "./decision.ts";
import { isPlainObject } from "./plain-object.ts";

/** Why an answer that calls itself a replay is none; null where it is one, or does not say so. */
export const wrongReplay = ({ verdict, details, modified_args, modified_result }: Decision): string | null => {
  if (details?.replayed !== true) {
    return verdict === Verdict.BLOCK && details !== null && modified_result !== null ? "a BLOCK with a result" : null;
  }
  if (verdict !== Verdict.BLOCK || details.code !== "replayed") return "a replay that is not a BLOCK of that code";
  if (typeof details.transaction_id !== "string") return "a replay of no transaction";
  return modified_args === null ? null : "a replay with arguments";
};

/** The error of a BLOCK. A replay whose result was withheld is a plain one: there is nothing to hand out. */
export const refusalOf = (decision: Decision, action: string): BlockedError => {
  const { details, modified_result } = decision;
  if (decision.verdict !== Verdict.BLOCK || details?.replayed !== true || details.transaction_id === null) {
    return new BlockedError(decision, action);
  }
  if (modified_result === null) return new BlockedError(decision, action);
  return new ReplayedError(decision, action, recordedResult(modified_result), details.transaction_id);
};

/**
 * A result as it is put to a daemon that may have to give it back: a plain object as it is, anything else as `{result: value}`. An
 * object whose only key is `result` would be taken for the latter, and is wrapped like it.
 */
export const recordedForm = (result: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(result) && !isWrapped(result) ? result : { result: result ?? null };

/** The result that was recorded in that form. */
export const recordedResult = (recorded: unknown): unknown =>
  isPlainObject(recorded) && isWrapped(recorded) ? recorded.result : recorded;

const isWrapped = (result: Record<string, unknown>): boolean =>
  Object.hasOwn(result, "result") && Object.keys(result).length === 1;
