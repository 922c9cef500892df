import { parseAnswer } from "../wire/answer.ts";
import { WireError, type WireErrorCode } from "../wire/errors.ts";
import { Verdict } from "../wire/verdict.ts";
import { Decision } from "./decision.ts";
import type { Terms } from "./greeting.ts";

/** What came back for one question: a decision, or the daemon's error frame, which is no decision. */
export type Answer =
  | { readonly id: string; readonly decision: Decision }
  | { readonly id: string; readonly decision: null; readonly code: WireErrorCode; readonly message: string };

/** Reads one line of a daemon. @throws WireError the line is no answer to an event: its connection cannot be believed */
export const readAnswer = (line: Uint8Array, { features }: Terms): Answer => {
  const answer = parseAnswer(line, features);
  if (answer.kind === "error") {
    return { id: answer.id, decision: null, code: answer.error.code, message: answer.error.message };
  }
  if (answer.kind !== "answer") throw new WireError("bad_request", `a decision was expected, not ${answer.kind}`);
  const { decision } = answer;
  if (decision.verdict === Verdict.ESCALATE && !features.escalate) {
    throw new WireError("bad_request", "verdict must be one of 0, 1, 2");
  }
  return { id: answer.id, decision: new Decision(decision, features.replace_args) };
};
