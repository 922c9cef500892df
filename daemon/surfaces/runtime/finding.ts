import type { Severity } from "../finding.ts";

/** What a tool does that it did not do while its profile was learned; the names are those of drift scanners. */
export type RuntimeFindingType =
  | "external_destination_added"
  | "external_secret_destination_added"
  | "response_data_class_added"
  | "response_secret_added"
  | "response_volume_expanded"
  | "effect_mutation_after_preview"
  | "effect_external_send_after_preview"
  | "effect_destructive_after_preview"
  | "effect_deploy_after_preview"
  | "effect_execution_after_preview"
  | "effect_money_movement_after_preview"
  | "effect_temporal_external_after_preview"
  | "effect_temporal_destructive_after_preview"
  | "effect_temporal_deploy_after_preview"
  | "effect_temporal_execution_after_preview"
  | "effect_temporal_money_movement_after_preview"
  | "effect_temporal_action_after_preview"
  | "effect_critical_escalation"
  | "effect_regression";

export interface RuntimeFinding {
  readonly type: RuntimeFindingType;
  readonly severity: Severity;
  /** One line; classes, hosts and mail domains, never what was sent or answered. */
  readonly reason: string;
}
