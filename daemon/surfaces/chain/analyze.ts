import { createHash } from "node:crypto";
import { canonical } from "../../../wire/canonical.ts";
import type { Severity } from "../finding.ts";
import type { DataClass, Plan } from "./plan.ts";
import { type StepFacts, stepFacts } from "./step-facts.ts";
import type { ChainEffect } from "./vocabulary.ts";

export type ChainFindingType =
  | "chain_sensitive_read_to_external_effect"
  | "chain_secret_to_execution"
  | "chain_secret_to_external_effect"
  | "chain_preview_to_deploy"
  | "chain_preview_to_destructive"
  | "chain_preview_to_money_movement"
  | "chain_preview_to_execution"
  | "chain_preview_to_external_effect"
  | "chain_preview_to_mutation";

/** Two steps of a plan that are more together than each is alone; steps are counted from 0. */
export interface ChainFinding {
  readonly type: ChainFindingType;
  readonly severity: Extract<Severity, "high" | "critical">;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** What may be kept of a plan: names, classes and digests, no argument. */
export interface ChainProfile {
  readonly profile_version: "1";
  readonly chain_id: string;
  readonly step_count: number;
  readonly tool_names: readonly string[];
  readonly server_ids: readonly string[];
  readonly effect_classes: readonly string[];
  readonly data_classes: readonly string[];
  readonly externalities: readonly string[];
  readonly argument_hashes: readonly string[];
  readonly argument_hash: string;
}

export interface ChainAnalysis {
  readonly profile: ChainProfile;
  /** `sha256:<hex>` of the profile's JCS bytes. */
  readonly profile_hash: string;
  readonly severity: Severity;
  readonly action: "allow" | "deny";
  /** In the order of the steps that end them; one of a type for each. */
  readonly findings: readonly ChainFinding[];
}

const leavesWith: ReadonlySet<DataClass> = new Set(["pii", "phi", "financial", "legal", "user_content", "internal"]);

const afterPreview: readonly (readonly [ChainEffect, ChainFindingType])[] = [
  ["deploy", "chain_preview_to_deploy"],
  ["destructive", "chain_preview_to_destructive"],
  ["money_movement", "chain_preview_to_money_movement"],
  ["execution", "chain_preview_to_execution"],
  ["external", "chain_preview_to_external_effect"],
  ["mutation", "chain_preview_to_mutation"],
];

/**
 * What several calls do together: data that one step reads and a later one sends out, a secret that is read and then executed with, a
 * preview that becomes the deed. Pure; linear in the steps. Anything found is a deny: a plan runs nothing, so refusing it costs nothing.
 */
export const analyzeChain = ({ chain_id, steps }: Plan): ChainAnalysis => {
  const facts = steps.map(stepFacts);
  const findings: ChainFinding[] = [];
  let secret: number | null = null;
  let sensitive: number | null = null;
  let preview: number | null = null;
  const found = (type: ChainFindingType, from: number, to: number): void => {
    const severity = type === "chain_preview_to_mutation" ? "high" : "critical";
    findings.push({ type, severity, from, to, reason: reasons[type] });
  };
  for (const [at, { effects, classes, externality }] of facts.entries()) {
    const isSent = externality === "external" && (effects.has("external") || sends(effects));
    if (secret !== null && isSent) found("chain_secret_to_external_effect", secret, at);
    if (secret !== null && effects.has("execution")) found("chain_secret_to_execution", secret, at);
    if (sensitive !== null && isSent) found("chain_sensitive_read_to_external_effect", sensitive, at);
    if (preview !== null && !effects.has("preview")) {
      for (const [effect, type] of afterPreview) {
        if (effect === "external" ? isSent : effects.has(effect)) found(type, preview, at);
      }
    }
    if (classes.has("secrets")) secret ??= at;
    if ([...classes].some((kind) => leavesWith.has(kind))) sensitive ??= at;
    if (effects.has("preview")) preview ??= at;
  }
  const profile = profileOf({ chain_id, steps }, facts);
  const severity = findings.some((one) => one.severity === "critical")
    ? "critical"
    : findings.length > 0
      ? "high"
      : "none";
  return Object.freeze({
    profile,
    profile_hash: digest(profile),
    severity,
    action: findings.length > 0 ? "deny" : "allow",
    findings: Object.freeze(findings),
  });
};

/** What changes something at a place outside has been sent there. */
const sends = (effects: ReadonlySet<ChainEffect>): boolean => effects.has("mutation") || effects.has("execution");

const profileOf = ({ chain_id, steps }: Plan, facts: readonly StepFacts[]): ChainProfile => {
  const argument_hashes = facts.map(({ argument_hash }) => argument_hash);
  return Object.freeze({
    profile_version: "1",
    chain_id,
    step_count: steps.length,
    tool_names: steps.map(({ tool_name }) => tool_name),
    server_ids: distinct(steps.flatMap(({ server_id }) => server_id ?? [])),
    effect_classes: distinct(facts.flatMap(({ effects }) => [...effects])),
    data_classes: distinct(facts.flatMap(({ classes }) => [...classes])),
    externalities: distinct(facts.map(({ externality }) => externality)),
    argument_hashes,
    argument_hash: digest(argument_hashes),
  });
};

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

const digest = (value: unknown): string => `sha256:${createHash("sha256").update(canonical(value)).digest("hex")}`;

const reasons: Readonly<Record<ChainFindingType, string>> = {
  chain_sensitive_read_to_external_effect:
    "what one step reads of people, money, health or others' content leaves in a later one",
  chain_secret_to_execution: "a step that handles secrets is followed by one that executes",
  chain_secret_to_external_effect: "a step that handles secrets is followed by one that sends outside",
  chain_preview_to_deploy: "a preview is followed by a deployment",
  chain_preview_to_destructive: "a preview is followed by a deletion",
  chain_preview_to_money_movement: "a preview is followed by a movement of money",
  chain_preview_to_execution: "a preview is followed by an execution",
  chain_preview_to_external_effect: "a preview is followed by something sent outside",
  chain_preview_to_mutation: "a preview is followed by a change",
};
