import type { CommandResult } from "../../commands/command-result.ts";
import type { ExitCode } from "../../exit-codes.ts";
import {
  type FailPolicy,
  type GateOutcome,
  gateExitCodes,
  type ObservationStatus,
  outcomeOf,
} from "../ci-gate/outcome.ts";
import { type BoundaryReview, type ReviewSource, reviewOf } from "../ci-gate/review.ts";
import type { SurfaceDrift } from "../finding.ts";
import { compareOffline } from "../offline/compare.ts";
import type { ServerRecord } from "../state/record.ts";
import { reviewHash } from "../state/record.ts";
import type { ServerKey, Surface } from "../surface.ts";

/** What was approved, at one moment. */
export interface GateBaseline {
  readonly from: "file" | "store";
  readonly approved: Surface;
  readonly record: ServerRecord | null;
  readonly version: number | null;
}

/** What was listed, or why not. */
export type GateObservation =
  | { readonly status: "observed"; readonly surface: Surface }
  | { readonly status: "observed_rejected" | "unavailable"; readonly reason: string };

/** The gate cannot be asked like that, must not look, cannot look now, or what answers speaks no MCP. One line. */
export class GateFailed extends Error {
  override readonly name = "GateFailed";
  readonly outcome: "auth_error" | "config_error" | "inconclusive" | "protocol_error";

  constructor(outcome: GateFailed["outcome"], message: string) {
    super(message);
    this.outcome = outcome;
  }
}

export interface CiGate {
  readonly server: ServerKey;
  readonly policy: FailPolicy;
  readonly by: "command" | "file";
  readonly timeout_s: number;
  readonly now_ms: number;
  /** Read before and after the listing is taken. Rejects with GateFailed. */
  readonly baseline: () => Promise<GateBaseline>;
  readonly observe: () => Promise<GateObservation>;
}

export interface GateResult extends Omit<CommandResult, "exitCode"> {
  /** Not one of the other commands' (`ExitCode`): a pipeline tells these apart. */
  readonly exitCode: (typeof gateExitCodes)[GateOutcome] | ExitCode;
  readonly review: BoundaryReview;
}

interface Found {
  readonly baseline: GateBaseline | null;
  readonly status: ObservationStatus;
  readonly observed: Surface | null;
  readonly drift: SurfaceDrift | null;
}

/** `interlock ci-gate`: what a server lists now against what was approved, as a review that is kept and an exit code that a pipeline acts on. */
export const ciGate = async (gate: CiGate): Promise<GateResult> => {
  let baseline: GateBaseline | null = null;
  try {
    baseline = await gate.baseline();
    const observation = await gate.observe();
    const after = await gate.baseline();
    const found = foundOf(after, observation, markOf(baseline) !== markOf(after));
    const outcome = outcomeOf({ ...found, record: after.record, policy: gate.policy });
    const why = observation.status === "observed" ? null : observation.reason;
    return resultOf(gate, outcome, reasonOf(outcome, found, why), found);
  } catch (error) {
    if (!(error instanceof GateFailed)) throw error;
    return resultOf(gate, error.outcome, error.message, {
      baseline,
      status: "not_performed",
      observed: null,
      drift: null,
    });
  }
};

const foundOf = (baseline: GateBaseline, observation: GateObservation, hasMoved: boolean): Found => {
  if (observation.status !== "observed") return { baseline, status: observation.status, observed: null, drift: null };
  const { surface } = observation;
  const drift = compareOffline(baseline.approved, surface);
  return { baseline, status: hasMoved ? "superseded" : "observed", observed: surface, drift };
};

/** Of everything that a review rests on. */
const markOf = ({ approved, record }: GateBaseline): string =>
  JSON.stringify([reviewHash(approved), record?.trust ?? null, record?.items ?? null, record?.self ?? null]);

const reasonOf = (outcome: GateOutcome, { baseline, status, drift }: Found, why: string | null): string => {
  if (outcome === "quarantined") {
    if (baseline?.record?.trust === "removed") return "an operator removed the server";
    return drift?.action === "quarantine"
      ? "what it lists would be quarantined"
      : "the store has quarantined some of it";
  }
  if (why !== null) return why;
  if (status === "superseded") return "what is approved was changed while the server was listed; run it again";
  if (outcome === "inconclusive") return "there are more findings than a review holds";
  if (outcome === "clean") return "the server lists what was approved";
  const counted = drift?.items.length ?? 0;
  const items = `${counted} ${counted === 1 ? "item is" : "items are"} not as approved`;
  return outcome === "advisory" ? `${items}; nothing that the policy stops` : items;
};

const resultOf = (gate: CiGate, outcome: GateOutcome, reason: string, found: Found): GateResult => {
  const { baseline, status, observed, drift } = found;
  const source: ReviewSource = {
    ...gate,
    outcome,
    reason,
    status,
    observed,
    drift,
    baseline: baseline?.from ?? "none",
    approved: baseline?.approved ?? null,
    record: baseline?.record ?? null,
    snapshotVersion: baseline?.version ?? null,
  };
  const review = reviewOf(source);
  const exitCode = gateExitCodes[outcome];
  return { exitCode, lines: [`interlock ci-gate: ${outcome} (${exitCode}): ${reason}`], json: { ...review }, review };
};
