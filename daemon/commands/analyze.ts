import type { SensorEvent } from "../../wire/event.ts";
import { indexRules, type RuleIndex } from "../engine/rule-index.ts";
import type { UnknownSetting } from "../engine/unknown.ts";
import { type CommandResult, done } from "./command-result.ts";
import { judgementJson, judgementLine, judgeOffline, offlineState } from "./judge-offline.ts";

export interface AnalyzeRequest {
  readonly event: SensorEvent;
  readonly index: RuleIndex;
  readonly unknown: UnknownSetting;
  readonly now_ms: number;
}

/**
 * `interlock analyze`: every rule that matches is run on the event as it is given, each alone, so that all causes are
 * told. Enforcement never does that: it stops at the first block, and its decision is told first.
 */
export const analyze = async ({ event, index, unknown, now_ms }: AnalyzeRequest): Promise<CommandResult> => {
  const decision = await judgeOffline(event, offlineState(index, unknown), now_ms);
  const lines = [`decision: ${judgementLine(event.action, decision)}`];
  const rules: object[] = [];
  for (const { rule, set } of index.match(event.phase, event.action).rules) {
    const alone = indexRules({ ...index.loaded, sets: [{ ...set, rules: [rule] }] }, 0);
    const judged = await judgeOffline(event, offlineState(alone, "allow"), now_ms);
    const silent = judged.code === "unknown_allowed";
    lines.push(silent ? `  ${rule.id}: no opinion` : `  ${rule.id}: ${judgementLine(event.action, judged)}`);
    rules.push({ rule: rule.id, set: set.id, ...(silent ? { verdict: null } : judgementJson(event.action, judged)) });
  }
  if (rules.length === 0) lines.push("  no rule matches this action");
  return done(lines, { decision: judgementJson(event.action, decision), rules });
};
