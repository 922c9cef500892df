import type { Judgement } from "../engine/judgement.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import type { WatchedRule } from "./messages.ts";
import { idle } from "./slot.ts";
import type { Finding } from "./watchdog.ts";

/** How an engine ended, and what that means for the call it was judging. */
export interface EngineEnd {
  /** The rule that is to blame, where one ran. */
  readonly rule: WatchedRule | null;
  /** What the call is answered; null when nothing was being judged. */
  readonly judged: Judgement | null;
  /** For the operator. */
  readonly line: string;
}

type Ended = Exclude<Finding, { kind: "well" } | { kind: "loading_overran" }> | { kind: "crashed"; crash: string };

export const endOf = (
  ended: Ended,
  running: number,
  cameBack: boolean,
  rules: ReadonlyMap<number, WatchedRule>,
): EngineEnd => {
  const rule = cameBack || running <= idle ? null : (rules.get(running) ?? null);
  switch (ended.kind) {
    case "rule_overran": {
      if (rule === null) return { rule, judged: null, line: "a rule overran and came back; the engine was restarted" };
      const reason = `rule ${rule.id} ran past its deadline of ${rule.deadline_ms} ms`;
      return { rule, judged: blamed(rule, "rule_overran", reason), line: `${reason}; the engine was restarted` };
    }
    case "crashed": {
      if (rule === null) return { rule, judged: null, line: `the engine ended (${ended.crash}) and was restarted` };
      const reason = `rule ${rule.id} ended the engine`;
      return {
        rule,
        judged: blamed(rule, "rule_crashed", reason),
        line: `${reason} (${ended.crash}); the engine was restarted`,
      };
    }
    case "stalled":
      // No rule says that it runs. The last question put may be innocent, so it is blocked but nobody is suspended.
      return {
        rule: null,
        judged: blockJudgement("engine_stalled", "the engine stopped responding while this call was judged"),
        line: "the engine stopped responding and was restarted",
      };
  }
};

const blamed = (rule: WatchedRule, code: "rule_overran" | "rule_crashed", reason: string): Judgement => ({
  ...blockJudgement(code, reason, rule.id),
  traceJson: JSON.stringify([`rules/${rule.id}:DENY`, "rules:DENY"]),
});

/**
 * Writes the end to the chain, and the block of the call that was being judged.
 * @returns the call's digest, or null where there was none to read.
 */
export type EngineEndRecorder = (
  end: EngineEnd,
  request: { readonly line: Uint8Array; readonly session: string },
  /** The rules in force, by digest and version, and the chain to write to. */
  under: { readonly rules: string; readonly rules_version: number; readonly chain: string | null },
) => Promise<string | null>;
