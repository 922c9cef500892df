import { createHash } from "node:crypto";
import { daemonVersion } from "../../version.ts";
import type { DriftAction, Severity, SurfaceDrift } from "../finding.ts";
import { shownName } from "../shown-name.ts";
import type { ServerRecord } from "../state/record.ts";
import { type ItemRef, itemKey, type ServerKey, type Surface } from "../surface.ts";
import {
  countSeverities,
  type FailPolicy,
  findingsOf,
  type GateOutcome,
  gateExitCodes,
  maxGateFindings,
  type ObservationStatus,
} from "./outcome.ts";

export const reviewFormat = "interlock.ci-boundary-review/v1";

export interface ReviewedItem {
  readonly tool_ref: string;
  /** `tool:send_mail`, with invisible signs written out and at most 64 of them. */
  readonly item: string;
  readonly status: "added" | "changed" | "removed";
  readonly severity: Severity;
  readonly decision: DriftAction;
}

/** What a gate writes: hashes, names, paths and kinds of findings; no text out of a definition, no argument, no path of the machine. */
export interface BoundaryReview {
  readonly format_version: typeof reviewFormat;
  readonly gate: {
    readonly outcome: GateOutcome;
    readonly exit_code: number;
    readonly fail_policy: FailPolicy;
    readonly reason: string;
    readonly version: string;
    readonly time: string;
  };
  readonly server: { readonly server_ref: string };
  readonly boundary: {
    readonly baseline: "file" | "store" | "none";
    readonly approved_surface_hash: string | null;
    readonly observed_surface_hash: string | null;
    readonly matches: boolean | null;
    readonly approved_items: number | null;
    readonly observed_items: number | null;
    readonly snapshot_version: number | null;
  };
  readonly observation: {
    readonly status: ObservationStatus;
    readonly by: "command" | "file";
    readonly reason: string;
  };
  readonly findings: readonly {
    readonly scope: "item" | "server";
    readonly tool_ref: string | null;
    readonly item: string | null;
    readonly change_types: readonly string[];
    readonly paths: readonly string[];
    readonly severity: Severity;
    readonly decision: DriftAction;
    readonly approved_tool_hash: string | null;
    readonly observed_tool_hash: string | null;
  }[];
  /** What the store holds of the server already. */
  readonly review_queue: readonly (ReviewedItem & { readonly enforced_now: boolean })[];
  readonly gateway_mediation: { readonly trust: ServerRecord["trust"] | null; readonly held: number | null };
  readonly severity_summary: Readonly<Record<Severity, number>>;
  readonly caps: { readonly max_findings: number; readonly findings_left_out: number; readonly timeout_s: number };
  readonly evidence: { readonly receipt: null; readonly evidence_ref: string; readonly canonicalization: "RFC8785" };
  readonly limitations: readonly string[];
  readonly redaction: { readonly excluded: readonly string[] };
}

/** What a review is made of. */
export interface ReviewSource {
  readonly outcome: GateOutcome;
  readonly reason: string;
  readonly policy: FailPolicy;
  readonly server: ServerKey;
  readonly baseline: BoundaryReview["boundary"]["baseline"];
  readonly approved: Surface | null;
  readonly observed: Surface | null;
  readonly drift: SurfaceDrift | null;
  readonly record: ServerRecord | null;
  readonly snapshotVersion: number | null;
  readonly status: ObservationStatus;
  readonly by: BoundaryReview["observation"]["by"];
  readonly timeout_s: number;
  readonly now_ms: number;
}

export const reviewOf = (source: ReviewSource): BoundaryReview => {
  const { approved, drift, observed, outcome, record, server } = source;
  const all = drift === null ? [] : findingEntries(drift);
  const review = {
    format_version: reviewFormat,
    gate: {
      outcome,
      exit_code: gateExitCodes[outcome],
      fail_policy: source.policy,
      reason: source.reason,
      version: daemonVersion,
      time: new Date(source.now_ms).toISOString(),
    },
    server: { server_ref: digest(`${server.credential ?? ""}\n${server.server}`) },
    boundary: {
      baseline: source.baseline,
      approved_surface_hash: approved?.hash ?? null,
      observed_surface_hash: observed?.hash ?? null,
      matches: approved === null || observed === null ? null : approved.hash === observed.hash,
      approved_items: approved?.items.length ?? null,
      observed_items: observed?.items.length ?? null,
      snapshot_version: source.snapshotVersion,
    },
    observation: { status: source.status, by: source.by, reason: source.status === "observed" ? "" : source.reason },
    findings: all.slice(0, maxGateFindings),
    review_queue: record === null ? [] : queueOf(record),
    gateway_mediation: {
      trust: record?.trust ?? null,
      held: record === null ? null : record.items.filter(({ action }) => action !== "monitor").length,
    },
    severity_summary: countSeverities(drift === null ? [] : findingsOf(drift)),
    caps: {
      max_findings: maxGateFindings,
      findings_left_out: Math.max(0, all.length - maxGateFindings),
      timeout_s: source.timeout_s,
    },
    limitations: limitationsOf(source),
    redaction: { excluded: redacted },
  } as const;
  const evidence_ref = digest(JSON.stringify([review.boundary, review.findings, review.review_queue]));
  return { ...review, evidence: { receipt: null, evidence_ref, canonicalization: "RFC8785" } };
};

const findingEntries = (drift: SurfaceDrift): BoundaryReview["findings"] => [
  ...drift.findings.map((finding) => ({
    scope: "server" as const,
    tool_ref: null,
    item: null,
    change_types: [finding.type],
    paths: finding.path === null ? [] : [shownName(finding.path)],
    severity: finding.severity,
    decision: drift.action,
    approved_tool_hash: null,
    observed_tool_hash: null,
  })),
  ...drift.items.map((item) => ({
    scope: "item" as const,
    ...refOf(item),
    change_types: [...new Set(item.findings.map(({ type }) => type))],
    paths: [...new Set(item.findings.flatMap(({ path }) => (path === null ? [] : [shownName(path)])))],
    severity: item.severity,
    decision: item.action,
    approved_tool_hash: item.approved_hash,
    observed_tool_hash: item.observed_hash,
  })),
];

const queueOf = ({ items }: ServerRecord): BoundaryReview["review_queue"] =>
  items.map((item) => ({
    ...refOf(item),
    status: item.approved_hash === null ? "added" : item.observed_hash === null ? "removed" : "changed",
    severity: item.severity,
    decision: item.action,
    enforced_now: item.action !== "monitor",
  }));

const refOf = (item: ItemRef): Pick<ReviewedItem, "item" | "tool_ref"> => ({
  tool_ref: digest(itemKey(item)),
  item: item.name === "" ? item.kind : `${item.kind}:${shownName(item.name)}`,
});

const digest = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

const limitationsOf = ({ baseline, by }: ReviewSource): readonly string[] => [
  "a listing is what the server says that it offers, at one moment and to one caller; what its calls do is judged when they are made",
  "which program answers is not compared: on a machine of CI it is another installation",
  "names of other servers' tools are not known here, so that look-alikes of them are not found",
  ...(baseline === "file" ? ["the baseline is a file: whoever may change it decides what is approved"] : []),
  ...(by === "file" ? ["the listing is a file: how old it is, nobody can tell"] : []),
];

const redacted: readonly string[] = [
  "descriptions",
  "titles",
  "schemas",
  "defaults and examples",
  "instructions",
  "prompt texts",
  "resource contents",
  "annotations and _meta",
  "the server's name",
  "the command and its arguments",
  "environment variables",
  "credentials",
];
