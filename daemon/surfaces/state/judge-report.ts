import type { Classify } from "../classifier.ts";
import type { OtherServer } from "../classify/index.ts";
import { type Finding, type ItemDrift, type SurfaceDrift, severityRank, worseSeverity } from "../finding.ts";
import { maxKeptFindings } from "../limits.ts";
import { surfaceHash } from "../parse-surface.ts";
import { type ItemKind, itemKey, type Surface } from "../surface.ts";
import { type BaselineMode, judgeFirst, withoutNovelty } from "./first-use.ts";
import {
  type Baseline,
  byItemKey,
  hashesOf,
  holds,
  type ItemState,
  type ServerRecord,
  type ServerState,
  type Snapshot,
  snapshotOf,
} from "./record.ts";

/** By what a report is judged. */
export interface ReportTerms {
  readonly classify: Classify;
  readonly mode: BaselineMode;
  readonly others: readonly OtherServer[];
  readonly now_ms: number;
}

/** What a report makes of what is known of a server, and what is held of what it listed. */
export interface JudgedReport {
  /** The same object where nothing changed. */
  readonly record: ServerRecord;
  /** Against the baseline of `record`. */
  readonly drift: SurfaceDrift;
}

/**
 * Kinds whose first listing is a first use, also of a server that is known: not every client asks for them, and one asks for tools after
 * it told the instructions. Instructions that come after tools are new: whoever has any tells them first.
 */
const listedLater: ReadonlySet<ItemKind> = new Set(["prompt", "resource", "template", "tool"]);

/**
 * Compares with what was approved, never with what was seen last. A quarantine stays, whatever is listed: only an approval ends it
 * (approve.ts). What was denied is so as long as it differs. Nothing that is not listed any more clears anything of what is.
 *
 * @param approved the baseline with its definitions; null where nothing was approved
 */
export const judgeReport = (
  before: ServerRecord | null,
  approved: Surface | null,
  observed: Surface,
  terms: ReportTerms,
): JudgedReport => {
  if (before === null || before.baseline === null || approved === null) return firstReport(before, observed, terms);
  const whole = terms.classify(approved, observed, terms.others);
  const { baseline, drift } = takeFirstListed(before.baseline, observed, whole, terms);
  const items = statesAfter(before.items, drift.items, observed, terms.now_ms);
  const self = selfAfter(before.self, drift, terms.now_ms);
  return { record: recordAfter(before, { baseline, items, self }, observed, terms.now_ms), drift };
};

const firstReport = (before: ServerRecord | null, observed: Surface, terms: ReportTerms): JudgedReport => {
  const { mode, now_ms } = terms;
  const drift = judgeFirst(observed, terms);
  const items = statesAfter(before?.items ?? [], drift.items, observed, now_ms);
  const held = new Set(items.filter(({ action }) => holds(action)).map(itemKey));
  const snapshot = snapshotOf(observed);
  const taken = snapshot.items.filter((item) => !held.has(itemKey(item)));
  const baseline: Baseline | null =
    mode === "approval"
      ? null
      : {
          ...snapshot,
          items: taken,
          hash: surfaceHash(taken),
          version: 1,
          approved_ms: now_ms,
          approved_by: "first_use",
        };
  const first: ServerRecord = before ?? {
    v: 1,
    server: observed.server,
    credential: observed.credential,
    trust: "first_use",
    environment: "production",
    probes: false,
    first_seen_ms: now_ms,
    baseline: null,
    observed: { ...snapshot, at_ms: now_ms },
    items: [],
    self: null,
  };
  const approvedHashes = hashesOf(taken);
  const standing = baseline === null ? items : items.map((state) => approvedAs(state, approvedHashes));
  return { record: recordAfter(first, { baseline, items: standing, self: first.self }, observed, now_ms), drift };
};

const approvedAs = (state: ItemState, hashes: ReadonlyMap<string, string>): ItemState => ({
  ...state,
  approved_hash: hashes.get(itemKey(state)) ?? null,
});

/** Who it is, and lists that no client asked for before: that against which there is nothing becomes a part of the baseline. */
const takeFirstListed = (
  baseline: Baseline,
  observed: Surface,
  drift: SurfaceDrift,
  { mode, now_ms }: ReportTerms,
): { readonly baseline: Baseline; readonly drift: SurfaceDrift } => {
  const fresh = observed.listed.filter((kind) => listedLater.has(kind) && !baseline.listed.includes(kind));
  const identity = baseline.identity ?? observed.identity;
  const isKnown = fresh.length === 0 && identity === baseline.identity;
  if (mode === "approval" || isKnown) return { baseline, drift };
  const isFresh = ({ kind }: { readonly kind: ItemKind }): boolean => fresh.includes(kind);
  const items = drift.items
    .map((item) => (isFresh(item) ? withoutNovelty(item) : item))
    .filter(({ findings }) => findings.length > 0);
  const held = new Set(items.filter(({ action }) => holds(action)).map(itemKey));
  const taken = snapshotOf(observed).items.filter((item) => isFresh(item) && !held.has(itemKey(item)));
  const all = [...baseline.items, ...taken].sort(byItemKey);
  return {
    baseline: {
      ...baseline,
      identity,
      items: all,
      hash: surfaceHash(all),
      listed: [...baseline.listed, ...fresh],
      version: baseline.version + 1,
      approved_ms: now_ms,
      approved_by: "first_use",
    },
    drift: { ...drift, items },
  };
};

const statesAfter = (
  before: readonly ItemState[],
  drift: readonly ItemDrift[],
  observed: Surface,
  now_ms: number,
): readonly ItemState[] => {
  const standing = new Map(before.map((state) => [itemKey(state), state]));
  const seen = hashesOf(observed.items);
  const states: ItemState[] = [];
  for (const item of drift) {
    const key = itemKey(item);
    const state = standing.get(key);
    standing.delete(key);
    if (item.action !== "allow") states.push(stateOf(item, state ?? null, now_ms));
    else if (state?.action === "quarantine") states.push({ ...state, observed_hash: item.observed_hash });
  }
  for (const [key, state] of standing) {
    // What was not asked for is as it was.
    if (!observed.listed.includes(state.kind)) states.push(state);
    // It is as it was approved, or gone: what ends by that is over, and a quarantine is not.
    else if (state.action === "quarantine") states.push({ ...state, observed_hash: seen.get(key) ?? null });
  }
  return states.sort(byItemKey);
};

const stateOf = (drift: ItemDrift, before: ItemState | null, now_ms: number): ItemState => {
  const { kind, name, approved_hash, observed_hash } = drift;
  const action = drift.action as ItemState["action"];
  const since_ms = before?.since_ms ?? now_ms;
  const held_hash = before?.held_hash ?? (holds(action) ? observed_hash : null);
  const at = { kind, name, approved_hash, observed_hash };
  if (before?.action === "quarantine") {
    const severity = worseSeverity(before.severity, drift.severity);
    const findings = allFindings(before.findings, drift.findings);
    return { ...at, action: "quarantine", severity, findings, held_hash, by: before.by, since_ms };
  }
  const findings = allFindings(drift.findings, []);
  const stillHeld = holds(action) ? held_hash : null;
  return { ...at, action, severity: drift.severity, findings, held_hash: stillHeld, by: "daemon", since_ms };
};

/** The server's own: like its items, a quarantine stays and everything else is as it is now. */
const selfAfter = (before: ServerState | null, { findings }: SurfaceDrift, now_ms: number): ServerState | null => {
  const now = selfOf(findings, before?.since_ms ?? now_ms);
  if (before?.action !== "quarantine") return now;
  if (now === null) return before;
  return {
    ...before,
    severity: worseSeverity(before.severity, now.severity),
    findings: allFindings(before.findings, now.findings),
  };
};

export const selfOf = (findings: readonly Finding[], since_ms: number): ServerState | null => {
  const [worst] = [...findings].sort(worstFirst);
  if (worst === undefined || worst.severity === "none") return null;
  const { severity } = worst;
  const action = severity === "critical" ? "quarantine" : severity === "high" ? "deny" : "monitor";
  return { action, severity, findings: allFindings(findings, []), since_ms };
};

const worstFirst = (one: Finding, other: Finding): number => severityRank[other.severity] - severityRank[one.severity];

/** Both, each once, worst first. */
const allFindings = (one: readonly Finding[], other: readonly Finding[]): readonly Finding[] => {
  const byPlace = new Map<string, Finding>();
  for (const finding of [...one, ...other]) {
    const place = `${finding.type} ${finding.path ?? ""}`;
    const known = byPlace.get(place);
    if (known === undefined || worstFirst(known, finding) > 0) byPlace.set(place, finding);
  }
  return [...byPlace.values()].sort(worstFirst).slice(0, maxKeptFindings);
};

type Changing = Pick<ServerRecord, "baseline" | "items" | "self">;

const recordAfter = (before: ServerRecord, after: Changing, observed: Surface, now_ms: number): ServerRecord => {
  const seen = mergedSnapshot(before.observed, observed);
  const unchanged =
    before.baseline === after.baseline &&
    same(before.items, after.items) &&
    same(before.self, after.self) &&
    same({ ...before.observed, at_ms: 0 }, { ...seen, at_ms: 0 });
  return unchanged ? before : { ...before, ...after, observed: { ...seen, at_ms: now_ms } };
};

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Lists that this client did not ask for stand as another did. */
const mergedSnapshot = (before: Snapshot, observed: Surface): Snapshot => {
  const now = snapshotOf(observed);
  const kept = before.items.filter(({ kind }) => !observed.listed.includes(kind));
  const items = [...kept, ...now.items].sort(byItemKey);
  const listed = [...new Set([...before.listed, ...observed.listed])].sort();
  return { hash: surfaceHash(items), identity: now.identity, listed, items };
};
