import type { ServerKey } from "../surface.ts";
import { type ObservedOutcome, observedOutcomes } from "./answer.ts";
import { type ExpectedOutcome, judgePermission, type PermissionVerdict } from "./permission.ts";
import { type ExpectedEffect, judgeReadback, type ReadbackVerdict } from "./readback.ts";

/** What is looked at, and what has to come of it. */
export type ProbeKind =
  | { readonly kind: "permission"; readonly expected: ExpectedOutcome }
  | { readonly kind: "readback"; readonly expected: ExpectedEffect };

/** At which step of a readback nothing more could be told. */
export const readbackPhases = ["before_readback", "target_call", "after"] as const;

/** What came of it. Hashes and classes, nothing of an answer. */
export type Observation =
  | { readonly kind: "permission"; readonly outcome: ObservedOutcome; readonly error_class: string | null }
  | {
      readonly kind: "readback";
      /** Null where all of it was read. */
      readonly failed_at: (typeof readbackPhases)[number] | null;
      readonly error_class: string | null;
      readonly changed: number;
      readonly claims_no_effect: boolean;
      /** `sha256:<hex>` of what was read, without what is masked; null where it was not. */
      readonly before: string | null;
      readonly after: string | null;
    };

export type ProbeVerdict = Omit<PermissionVerdict, "finding_types"> & {
  readonly finding_types: readonly (
    | PermissionVerdict["finding_types"][number]
    | ReadbackVerdict["finding_types"][number]
  )[];
};

/** The cleanup that was asked for: whether the canary is gone again. */
export const cleanups = ["none", "done", "failed"] as const;

/** A probe that was run, as it is kept. */
export interface ProbeRecord extends ServerKey {
  readonly v: 1;
  readonly probe_id: string;
  readonly tool: string;
  readonly probe: ProbeKind;
  /** `sha256:<hex>` of the JCS arguments. */
  readonly argument_hash: string;
  /** The operator's words: why this harms nobody. */
  readonly safety_note: string;
  readonly by: string;
  readonly began_ms: number;
  readonly ended_ms: number;
  readonly observed: Observation;
  readonly verdict: ProbeVerdict;
  readonly cleanup: (typeof cleanups)[number];
  /** Hash of the approved surface, and of the tool as it was approved: what changed is what the server does, not what it lists. */
  readonly surface: string | null;
  readonly tool_hash: string | null;
}

const inconclusive: ProbeVerdict = Object.freeze({ finding_types: [], severity: "none", decision: "monitor" });

/** Null where the observation is of another kind of probe. */
export const judgeProbe = (probe: ProbeKind, observed: Observation): ProbeVerdict | null => {
  if (probe.kind === "permission")
    return observed.kind === "permission" ? judgePermission(probe.expected, observed.outcome) : null;
  if (observed.kind !== "readback") return null;
  if (observed.failed_at !== null) return inconclusive;
  return judgeReadback(probe.expected, observed.changed, observed.claims_no_effect);
};

export const isObservedOutcome = (text: unknown): text is ObservedOutcome =>
  observedOutcomes.some((outcome) => outcome === text);
