import { canonical } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/codec.ts";
import { Unrepresentable } from "../../wire/errors.ts";
import type { SensorEvent } from "../../wire/event.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Judgement } from "../engine/judgement.ts";
import type { Plan } from "../transactions/plan.ts";

/** A result as clients send it: the object itself, or `{result: value}`; an object of that one key is wrapped too, so that there is one reading. */
const viewOf = (value: WireValue): WireObject => {
  const isObject =
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
  if (!isObject) return { result: value };
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === "result" ? { result: value } : (value as WireObject);
};

/** What a repeat of the call is answered with: the result as the result rules left it, or nothing where they withheld it. */
const keptResult = (args: WireObject, judged: Judgement): string | null => {
  if (judged.verdict !== Verdict.ALLOW && judged.verdict !== Verdict.MODIFY) return null;
  const left = judged.modified_result === null ? args : viewOf(judged.modified_result);
  try {
    return canonical(encodeValue(left, { escape: true }));
  } catch (error) {
    // A double that was read and cannot be sent, such as 1e21: it ran, and there is nothing to answer a repeat with.
    if (error instanceof Unrepresentable) return null;
    throw error;
  }
};

/** A result has come: the call ran, whatever is said of its result. */
export const closePlan = (
  call_id: string,
  { action, principal, args }: Pick<SensorEvent, "action" | "principal" | "args">,
  judged: Judgement,
  now_ms: number,
): Plan => ({ kind: "close", call_id, action, principal, now_ms, result: keptResult(args, judged) });
