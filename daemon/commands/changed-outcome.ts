import { Verdict } from "../../wire/verdict.ts";
import type { Judgement } from "../engine/judgement.ts";
import type { GatesAnswer, RecordedGates } from "../ledger/recorded-gates.ts";

/** `otherwise`: it runs rewritten or no longer so, or somebody else is asked. */
export type Change = "newly_blocked" | "newly_asked" | "newly_allowed" | "otherwise";

const changeTo: Readonly<Record<GatesAnswer, Change>> = Object.freeze({
  blocked: "newly_blocked",
  asked: "newly_asked",
  passed: "newly_allowed",
});

/** A judgement that nothing was settled after is what the gates say. */
export const gatesOf = ({ verdict, code }: Judgement): RecordedGates => {
  if (verdict === Verdict.BLOCK) return { answer: "blocked", code };
  return { answer: verdict === Verdict.ESCALATE ? "asked" : "passed", code };
};

/** What would change for the caller, from one answer of the gates to another; null where nothing would. */
export const changeBetween = (before: RecordedGates, after: RecordedGates): Change | null => {
  if (before.answer !== after.answer) return changeTo[after.answer];
  if (before.answer === "blocked" || before.code === null || after.code === null) return null;
  return marked(before) === marked(after) ? null : "otherwise";
};

/** What matters of the code within one answer. */
const marked = ({ code }: RecordedGates): boolean => code === "rewritten" || code === "escalated_operator";

/** Does the judgement rest on a value that was never captured? Then nobody can say what it would have been. */
export const restsOnRedacted = ({ attributed_to, errors }: Judgement, redacted: readonly string[]): boolean => {
  const named = [...errors.map(({ loc }) => loc), ...(attributed_to === null ? [] : [attributed_to])];
  return named.some((loc) => redacted.some((path) => isWithin(loc, path) || isWithin(path, loc)));
};

const isWithin = (loc: string, path: string): boolean =>
  loc === path || loc.startsWith(`${path}.`) || loc.startsWith(`${path}[`);
