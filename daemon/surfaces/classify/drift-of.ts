import { actionOf, type Finding, type ItemDrift, type Severity, severityRank, worseSeverity } from "../finding.ts";
import type { SurfaceItem } from "../surface.ts";

/** Findings of one item that are kept, the worst of them. */
const mostFindings = 128;

export const worstOf = (findings: readonly Pick<Finding, "severity">[]): Severity =>
  findings.reduce<Severity>((worst, { severity }) => worseSeverity(worst, severity), "none");

/** Worst first, in the order of their paths; the same finding once. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] => {
  const once = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.type}\n${finding.path ?? ""}\n${finding.reason}`;
    const before = once.get(key);
    if (before === undefined || severityRank[finding.severity] > severityRank[before.severity]) once.set(key, finding);
  }
  const sorted = [...once.values()].sort(
    (one, other) =>
      severityRank[other.severity] - severityRank[one.severity] ||
      compare(one.path ?? "", other.path ?? "") ||
      compare(one.type, other.type),
  );
  return Object.freeze(sorted.slice(0, mostFindings).map((finding) => Object.freeze(finding)));
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What became of an item; one of the two is given. */
export const driftOf = (
  approved: SurfaceItem | null,
  observed: SurfaceItem | null,
  findings: readonly Finding[],
): ItemDrift => {
  const { kind, name } = (observed ?? approved)!;
  const severity = worstOf(findings);
  return Object.freeze({
    kind,
    name,
    severity,
    action: actionOf[severity],
    findings: inOrder(findings),
    approved_hash: approved?.hash ?? null,
    observed_hash: observed?.hash ?? null,
  });
};
