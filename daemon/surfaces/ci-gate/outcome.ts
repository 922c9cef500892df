import type { Finding, Severity, SurfaceDrift } from "../finding.ts";
import { severityRank } from "../finding.ts";
import type { ServerRecord } from "../state/record.ts";

/** What a gate ends with. Never 1, which is what a shell or a runner ends with by itself. */
export const gateExitCodes = Object.freeze({
  clean: 0,
  advisory: 0,
  review_required: 20,
  quarantined: 21,
  inconclusive: 22,
  config_error: 2,
  auth_error: 3,
  protocol_error: 4,
});
export type GateOutcome = keyof typeof gateExitCodes;

/** From where on a finding asks for a review: high and above, any, or only what is quarantined anyway. */
export const failPolicies = Object.freeze(["material", "any-finding", "quarantine-only"] as const);
export type FailPolicy = (typeof failPolicies)[number];

/** How the listing of now was come by. */
export type ObservationStatus = "observed" | "observed_rejected" | "unavailable" | "superseded" | "not_performed";

export interface Judged {
  readonly status: ObservationStatus;
  /** Null where nothing was compared. */
  readonly drift: SurfaceDrift | null;
  /** What the store knows of the server; null where the baseline is a file. */
  readonly record: ServerRecord | null;
  readonly policy: FailPolicy;
}

/** More findings than that are no review that anybody makes. */
export const maxGateFindings = 1_000;

/**
 * In this order: what is held, here or in the store, is `quarantined`; what could not be told is `inconclusive`; and only then the
 * policy decides, so that none of it makes either of the two any softer.
 */
export const outcomeOf = ({ status, drift, record, policy }: Judged): GateOutcome => {
  if (record !== null && isHeld(record)) return "quarantined";
  if (drift?.action === "quarantine") return "quarantined";
  if (status !== "observed" || drift === null) return "inconclusive";
  const findings = findingsOf(drift);
  if (findings.length > maxGateFindings) return "inconclusive";
  if (findings.length === 0 && drift.items.length === 0) return "clean";
  return severityRank[drift.severity] >= leastSeverity[policy] ? "review_required" : "advisory";
};

const leastSeverity: Readonly<Record<FailPolicy, number>> = {
  material: severityRank.high,
  "any-finding": severityRank.none,
  "quarantine-only": severityRank.critical,
};

const isHeld = ({ items, self, trust }: ServerRecord): boolean =>
  trust === "removed" || self?.action === "quarantine" || items.some(({ action }) => action === "quarantine");

export const findingsOf = ({ findings, items }: SurfaceDrift): readonly Finding[] => [
  ...findings,
  ...items.flatMap((item) => item.findings),
];

export const countSeverities = (findings: readonly Finding[]): Readonly<Record<Severity, number>> => {
  const counts = { none: 0, minor: 0, moderate: 0, high: 0, critical: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
};
