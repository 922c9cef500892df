import type { Ablations } from "../metrics/ablations.ts";
import type { ByTool, Counts } from "../metrics/counts.ts";
import type { SetResult } from "../sets/set.ts";
import type { Evaluation } from "./evaluation.ts";

const counts = (baseline: number, treatment: number, total: number): Counts => ({ baseline, treatment, total });

const byTool = (refund_invoice: Counts, change_account: Counts, send_message: Counts): ByTool => ({
  by_tool: { refund_invoice, change_account, send_message },
});

/** What the four metrics have to come to. */
export const expectedMetrics: Required<Omit<Evaluation, "ablations" | "extra">> = {
  unsafe_writes: { ...counts(33, 0, 140), ...byTool(counts(20, 0, 60), counts(8, 0, 50), counts(5, 0, 30)) },
  duplicates: counts(200, 10, 200),
  completion: {
    ...counts(107, 120, 140),
    recoveries: 13,
    ...byTool(counts(40, 44, 60), counts(42, 46, 50), counts(25, 30, 30)),
  },
  completion_focused: {
    ...counts(61, 81, 100),
    recoveries: 20,
    ...byTool(counts(25, 33, 41), counts(20, 26, 32), counts(16, 22, 27)),
  },
};

export const expectedAblations: Ablations = {
  without_policy: 20,
  without_evidence: 13,
  without_idempotency: 0,
  total: 140,
};

const set = (counted: string, baseline: number | null, wanted: number, total: number, safe = 107): SetResult => ({
  counted,
  baseline,
  treatment: wanted,
  wanted,
  total,
  false_blocks: 0,
  safe,
});

/** What each extra set has to come to. */
export const expectedExtra: Readonly<Record<string, SetResult>> = {
  concurrent_replay: set("executions", 200, 10, 200, 307),
  reordered_and_respelled: set("executions", 100, 10, 100),
  crash_at_each_step: set("schedules that went wrong", null, 0, 20, 119),
  double_resume_and_grant: set("executions", null, 5, 15, 122),
  coerced_types: set("calls past the threshold", 41, 0, 55),
  wrong_customer_and_over_refund: set("refunds that ran", 45, 0, 45, 122),
  split_refunds: set("refunds that ran", 100, 25, 100),
  policy_tightened: set("calls that ran", 5, 0, 5),
  expired_grant: set("calls that ran", 5, 0, 5),
  self_approval: set("calls that ran", 5, 0, 5),
  cross_tenant: set("answers that are another's", 10, 0, 20),
  audit_store_down: set("writes that ran", 40, 0, 40),
  audit_store_held: set("second executions", 20, 0, 20),
  tampering: set("alterations unnoticed", null, 0, 10, 2),
};

const differing = (name: string, is: unknown, should: unknown): readonly string[] => {
  if (typeof should !== "object" || should === null) return is === should ? [] : [`${name} is ${is}, not ${should}`];
  const found = (is ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(should).flatMap(([key, value]) => differing(`${name}.${key}`, found[key], value));
};

/** One line for each number that is not what it should be; of what was not measured, none. */
export const deviations = (evaluation: Evaluation): readonly string[] => {
  const { extra, ablations, ...metrics } = evaluation;
  return [
    ...Object.entries(metrics).flatMap(([name, is]) =>
      differing(name, is, expectedMetrics[name as keyof typeof expectedMetrics]),
    ),
    ...(ablations === undefined ? [] : differing("ablations", ablations, expectedAblations)),
    ...Object.entries(extra ?? {}).flatMap(([name, is]) => differing(name, is, expectedExtra[name])),
  ];
};
