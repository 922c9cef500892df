import type { Finding } from "../finding.ts";
import { maxKeptFindings } from "../limits.ts";
import { surfaceHash } from "../parse-surface.ts";
import { type ItemRef, itemKey } from "../surface.ts";
import { type SurfaceNote, shownItem, shownServer } from "./notes.ts";
import { type Baseline, byItemKey, hashesOf, type ItemState, reviewHash, type ServerRecord } from "./record.ts";

/** Why nothing was changed. `stale`: something else is there than was reviewed; `is` says what, null where nothing is listed. */
export type NotChanged =
  | { readonly kind: "stale"; readonly is: string | null }
  | { readonly kind: "stale_rebaseline"; readonly current: string | null; readonly candidate: string }
  | { readonly kind: "no_item" }
  | { readonly kind: "nothing_to_approve" };

export interface Changed {
  readonly kind: "changed";
  readonly record: ServerRecord;
  readonly notes: readonly SurfaceNote[];
  /** Kept in the same store transaction. */
  readonly probe?: { readonly key: string; readonly body: string };
}

/** Who says so, `operator:<name>`, and when. */
export interface By {
  readonly by: string;
  readonly now_ms: number;
}

/**
 * One item is approved as it was reviewed: its hash is named, and where another is listed by now nothing is approved. This alone ends
 * a quarantine of an item.
 *
 * @param reviewed null approves that it is not offered any more
 */
export const approveItem = (
  record: ServerRecord,
  item: ItemRef,
  reviewed: string | null,
  by: By,
): Changed | NotChanged => {
  const key = itemKey(item);
  const observed = hashesOf(record.observed.items).get(key) ?? null;
  const approved = hashesOf(record.baseline?.items ?? []).get(key) ?? null;
  const state = record.items.find((one) => itemKey(one) === key);
  if (observed === null && approved === null && state === undefined) return { kind: "no_item" };
  if (observed !== reviewed) return { kind: "stale", is: observed };
  if (state === undefined && observed === approved) return { kind: "nothing_to_approve" };
  const others = (record.baseline?.items ?? []).filter((one) => itemKey(one) !== key);
  const { kind, name } = item;
  const items =
    observed === null
      ? others
      : [...others, { kind, name, hash: observed, approved_in: nextVersion(record) }].sort(byItemKey);
  const before = record.baseline ?? { identity: record.observed.identity, listed: record.observed.listed };
  const listed = [...new Set([...before.listed, kind])].sort();
  const { identity } = before;
  const baseline = nextBaseline(record, { identity, listed, items, hash: surfaceHash(items) }, by);
  const detail = `${shownServer(record)}: ${shownItem(item)} ${reviewed ?? "gone"} by ${by.by}, baseline ${baseline.version} ${baseline.hash}`;
  return {
    kind: "changed",
    record: { ...record, baseline, items: record.items.filter((one) => itemKey(one) !== key) },
    notes: [{ event: "surface_approved", detail }],
  };
};

/** Everything that was listed last, and who the server is, becomes what is approved; both sides are named as they were reviewed. */
export const promote = (
  record: ServerRecord,
  expected: { readonly current: string | null; readonly candidate: string },
  by: By,
): Changed | NotChanged => {
  const current = record.baseline === null ? null : reviewHash(record.baseline);
  const candidate = reviewHash(record.observed);
  if (current !== expected.current || candidate !== expected.candidate) {
    return { kind: "stale_rebaseline", current, candidate };
  }
  if (current === candidate && record.items.length === 0 && record.self === null) return { kind: "nothing_to_approve" };
  const { hash, identity, listed } = record.observed;
  const items = record.observed.items.map((item) => ({ ...item, approved_in: nextVersion(record) }));
  const baseline = nextBaseline(record, { hash, identity, listed, items }, by);
  const detail = `${shownServer(record)}: baseline ${baseline.version} of ${items.length} items, ${hash}, by ${by.by}`;
  return {
    kind: "changed",
    record: { ...record, baseline, items: [], self: null },
    notes: [{ event: "surface_approved", detail }],
  };
};

/** Held from here on, whatever is listed, until somebody approves it. `findings` is what was found of it; empty where a person decided. */
export const quarantineItem = (
  record: ServerRecord,
  item: ItemRef,
  findings: readonly Finding[],
  { by, now_ms }: By,
  reason: string,
): Changed | NotChanged => {
  const key = itemKey(item);
  const observed_hash = hashesOf(record.observed.items).get(key) ?? null;
  const approved_hash = hashesOf(record.baseline?.items ?? []).get(key) ?? null;
  const before = record.items.find((one) => itemKey(one) === key);
  if (observed_hash === null && approved_hash === null && before === undefined) return { kind: "no_item" };
  const state: ItemState = {
    kind: item.kind,
    name: item.name,
    action: "quarantine",
    severity: "critical",
    findings: [...findings, ...(before?.findings ?? [])].slice(0, maxKeptFindings),
    approved_hash,
    observed_hash,
    held_hash: before?.held_hash ?? observed_hash ?? approved_hash,
    by,
    since_ms: now_ms,
  };
  const items = [...record.items.filter((one) => itemKey(one) !== key), state].sort(byItemKey);
  const detail = `${shownServer(record)}: ${shownItem(item)} ${observed_hash ?? "gone"} by ${by}: ${reason}`;
  return { kind: "changed", record: { ...record, items }, notes: [{ event: "surface_quarantined", detail }] };
};

/** What an operator says of a server: that it is trusted, and whether it may be probed. Approves nothing of what it offers. */
export const trustServer = (
  record: ServerRecord,
  { environment, probes }: Pick<ServerRecord, "environment" | "probes">,
  { by }: By,
): Changed => {
  const detail = `${shownServer(record)} by ${by}: ${environment}, probes ${probes ? "on" : "off"}`;
  return {
    kind: "changed",
    record: { ...record, trust: "operator", environment, probes },
    notes: [{ event: "server_trusted", detail }],
  };
};

/** Nothing of it may be called, until somebody trusts it again; what is known of it stays. */
export const removeServer = (record: ServerRecord, { by }: By, reason: string): Changed => ({
  kind: "changed",
  record: { ...record, trust: "removed", probes: false },
  notes: [{ event: "server_removed", detail: `${shownServer(record)} by ${by}: ${reason}` }],
});

const nextBaseline = (
  record: ServerRecord,
  snapshot: Pick<Baseline, "hash" | "identity" | "items" | "listed">,
  { by, now_ms }: By,
): Baseline => ({
  ...snapshot,
  version: nextVersion(record),
  approved_ms: now_ms,
  approved_by: by,
});

const nextVersion = (record: ServerRecord): number => (record.baseline?.version ?? 0) + 1;
