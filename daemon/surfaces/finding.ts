import type { RuntimeFindingType } from "./runtime/finding.ts";
import type { ItemRef } from "./surface.ts";

/** Ranks in their order; the names are those of the field (drift scanners, SIEMs). */
export const severities = Object.freeze(["none", "minor", "moderate", "high", "critical"] as const);
export type Severity = (typeof severities)[number];

/** What follows. `monitor` is told and runs; `deny` blocks until the difference is gone or approved; `quarantine` until it is approved. */
export const driftActions = Object.freeze(["allow", "monitor", "deny", "quarantine"] as const);
export type DriftAction = (typeof driftActions)[number];

/** How what a schema accepts changed. */
export type SchemaRelation = "same" | "widened" | "narrowed" | "incomparable";

export const surfaceFindingTypes = Object.freeze([
  "annotation_lost",
  "behavioral_scope_drift",
  "concealment_introduced",
  "constraint_relaxed",
  "constraint_tightened",
  "data_class_escalated",
  "default_changed",
  "description_changed",
  "description_exfiltration",
  "destination_introduced",
  "duplicate_name",
  "effect_escalated",
  "effect_response_contradicted_by_readback",
  "effective_permission_expansion",
  "externality_escalated",
  "field_renamed",
  "hostile_definition",
  "icon_changed",
  "identity_changed",
  "identity_mode_escalated",
  "instruction_introduced",
  "instructions_changed",
  "metadata_downgraded",
  "name_collision",
  "other_tool_referenced",
  "param_type_changed",
  "prompt_changed",
  "readback_state_changed_after_no_effect_expected",
  "required_field_added",
  "required_field_removed",
  "resource_changed",
  "schema_field_added",
  "schema_field_removed",
  "schema_incomparable",
  "scope_escalated",
  "secret_name_introduced",
  "sensitive_field_added",
  "server_emptied",
  "side_effect_escalated",
  "silent_side_effect_drift",
  "sink_added",
  "tool_added",
  "tool_removed",
  "tool_renamed",
] as const);
export type SurfaceFindingType = (typeof surfaceFindingTypes)[number];

/** One thing that changed. Nothing of it is a value out of the definition but names and paths. */
export interface Finding {
  /** A surface's own, or what quarantined it at run time. */
  readonly type: SurfaceFindingType | RuntimeFindingType;
  readonly severity: Severity;
  /** Where in the definition, as a dotted path (`inputSchema.properties.to.enum`); null where it is about the whole item. */
  readonly path: string | null;
  /** One line of at most 512 bytes for whoever reviews it. */
  readonly reason: string;
  /** Of a schema's node, what became of what it accepts; null elsewhere. */
  readonly relation: SchemaRelation | null;
}

/** What became of one item since it was approved. */
export interface ItemDrift extends ItemRef {
  readonly severity: Severity;
  readonly action: DriftAction;
  /** Worst first. Empty where nothing changed. */
  readonly findings: readonly Finding[];
  /** Null where it is new. */
  readonly approved_hash: string | null;
  /** Null where it is gone. */
  readonly observed_hash: string | null;
}

/** What became of a whole server; only what changed is in `items`. */
export interface SurfaceDrift {
  readonly severity: Severity;
  readonly action: DriftAction;
  /** About the server and none of its items: its identity, or that it offers nothing any more. Worst first. */
  readonly findings: readonly Finding[];
  readonly items: readonly ItemDrift[];
}

/** How bad, as a number to sort by. */
export const severityRank: Readonly<Record<Severity, number>> = Object.freeze({
  none: 0,
  minor: 1,
  moderate: 2,
  high: 3,
  critical: 4,
});

export const worseSeverity = (one: Severity, other: Severity): Severity =>
  severityRank[one] >= severityRank[other] ? one : other;

/** none: allow; minor and moderate: monitor; high: deny; critical: quarantine. */
export const actionOf: Readonly<Record<Severity, DriftAction>> = Object.freeze({
  none: "allow",
  minor: "monitor",
  moderate: "monitor",
  high: "deny",
  critical: "quarantine",
});
