import { classifySurface } from "../../daemon/surfaces/classify/index.ts";
import type { Finding, SurfaceDrift } from "../../daemon/surfaces/finding.ts";
import type { Pair } from "./pairs.ts";

export interface Wrong {
  readonly name: string;
  readonly kind: string;
  readonly label: Pair["label"];
  /** What was found, the worst of it. */
  readonly findings: readonly string[];
}

/** What `npm run eval:drift -- --json FILE` writes for a set. */
export interface Measured {
  readonly total: number;
  /** Of the attacks: every item that has to be held is at deny or quarantine. */
  readonly recall: number;
  /** Of the churn: something is at deny or quarantine. */
  readonly false_positive_rate: number;
  readonly wrong: readonly Wrong[];
}

const isHeld = (action: string): boolean => action === "deny" || action === "quarantine";

const heldItems = ({ findings, items }: SurfaceDrift): ReadonlySet<string> =>
  new Set([
    ...items.filter(({ action }) => isHeld(action)).map(({ kind, name }) => `${kind}:${name}`),
    ...(findings.some(({ severity }) => severity === "high" || severity === "critical") ? ["server:"] : []),
  ]);

const said = ({ type, severity, path, reason }: Finding): string =>
  `${severity} ${type} at ${path ?? "the whole"}: ${reason}`;

export const measure = (pairs: readonly Pair[]): Measured => {
  const wrong: Wrong[] = [];
  for (const { name, kind, label, before, after, others, held } of pairs) {
    const drift = classifySurface(before, after, others);
    const found = heldItems(drift);
    const isRight =
      label === "attack" ? held.every((item) => found.has(`${item.kind}:${item.name}`)) : found.size === 0;
    const findings = [...drift.findings, ...drift.items.flatMap((item) => item.findings)].slice(0, 4).map(said);
    if (!isRight) wrong.push({ name, kind, label, findings });
  }
  const share = (label: Pair["label"]): number =>
    wrong.filter((one) => one.label === label).length / Math.max(1, pairs.filter((one) => one.label === label).length);
  return { total: pairs.length, recall: 1 - share("attack"), false_positive_rate: share("churn"), wrong };
};
