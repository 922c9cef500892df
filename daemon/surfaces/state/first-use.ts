import type { Classify } from "../classifier.ts";
import type { OtherServer } from "../classify/index.ts";
import { actionOf, type Finding, type ItemDrift, type SurfaceDrift, severities, severityRank } from "../finding.ts";
import type { Surface } from "../surface.ts";

/** What setting a server is first taken by: at once but for what is hostile by itself, or once somebody approved it. */
export type BaselineMode = "first_use" | "approval";

/** That an item is new is nothing against it where all of them are. */
const isNovelty = ({ type, path }: Finding): boolean =>
  path === null &&
  (type === "tool_added" ||
    type === "prompt_changed" ||
    type === "instructions_changed" ||
    type === "resource_changed");

export const withoutNovelty = (drift: ItemDrift): ItemDrift =>
  withFindings(
    drift,
    drift.findings.filter((finding) => !isNovelty(finding)),
  );

/** @returns what is against each item of a server that nobody has approved anything of; items against which there is nothing are not in it. */
export const judgeFirst = (
  observed: Surface,
  { classify, mode, others }: { classify: Classify; mode: BaselineMode; others: readonly OtherServer[] },
): SurfaceDrift => {
  const nothing: Surface = { ...observed, items: [], listed: observed.listed };
  const drift = classify(nothing, observed, others);
  const items =
    mode === "approval"
      ? drift.items.map(atLeastDenied)
      : drift.items.map(withoutNovelty).filter(({ findings }) => findings.length > 0);
  const worst = items.reduce((most, { severity }) => Math.max(most, severityRank[severity]), 0);
  const severity = severities[worst] ?? "critical";
  return { severity, action: actionOf[severity], findings: [], items };
};

/** Whatever it is: somebody has to look at it. */
const atLeastDenied = (drift: ItemDrift): ItemDrift =>
  severityRank[drift.severity] >= severityRank.high ? drift : { ...drift, severity: "high", action: "deny" };

const withFindings = (drift: ItemDrift, findings: readonly Finding[]): ItemDrift => {
  const worst = findings.reduce((most, { severity }) => Math.max(most, severityRank[severity]), 0);
  const severity = severities[worst] ?? "critical";
  return { ...drift, findings, severity, action: actionOf[severity] };
};
