import type { CommandResult } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { safeName } from "../../operator/display/safe-text.ts";
import { analyzeChain } from "../chain/analyze.ts";
import { type Plan, parsePlan } from "../chain/plan.ts";

/** `interlock chain analyze FILE`: what the steps of a plan do together. A finding is the answer no. */
export const chainAnalyze = (bytes: Uint8Array): CommandResult => {
  const plan = parsePlan(bytes);
  const { profile, profile_hash, severity, action, findings } = analyzeChain(plan);
  const ok = findings.length === 0;
  return {
    exitCode: ok ? ExitCode.done : ExitCode.no,
    lines: ok
      ? [`nothing found in ${counted(profile.step_count)}`]
      : [
          ...findings.map(
            ({ type, severity: grave, from, to, reason }) =>
              `${stepName(plan, from)} to ${stepName(plan, to)}: ${type}, ${grave}: ${reason}`,
          ),
          `${findings.length === 1 ? "1 finding" : `${findings.length} findings`} in ${counted(profile.step_count)}: ${action}`,
        ],
    json: {
      ok,
      severity,
      action,
      findings,
      profile: { ...profile, profile_hash },
      record: {
        record_type: "interlock.chain-drift-record",
        schema_version: "1",
        chain_id: profile.chain_id,
        chain_profile_hash: profile_hash,
        diff_classification: "chain",
        finding_types: [...new Set(findings.map(({ type }) => type))],
        severity,
        decision: action,
      },
    },
  };
};

const stepName = ({ steps }: Plan, at: number): string => `step ${at} (${safeName(steps[at]?.tool_name ?? "")})`;
const counted = (steps: number): string => (steps === 1 ? "1 step" : `${steps} steps`);
