import { severityRank } from "../finding.ts";
import { shownName } from "../shown-name.ts";
import { type ItemRef, itemKey, type ServerKey } from "../surface.ts";
import { holds, type ItemState, type ServerRecord } from "./record.ts";

/** What is noted in the chain: names, types of findings and hashes, nothing else of a definition. */
export interface SurfaceNote {
  readonly event:
    | "probe_run"
    | "surface_approved"
    | "surface_drifted"
    | "surface_quarantined"
    | "server_trusted"
    | "server_removed";
  /** One line. */
  readonly detail: string;
}

const mostNamed = 8;

/** `fs`, or `fs as sha256:0123456789ab` where it is shown a credential. */
export const shownServer = ({ server, credential }: ServerKey): string =>
  credential === null ? shownName(server) : `${shownName(server)} as ${credential.slice(0, 19)}`;

export const shownItem = ({ kind, name }: ItemRef): string => (name === "" ? kind : `${kind} ${shownName(name)}`);

/** What a report changed. Empty where it changed nothing that stands. */
export const reportNotes = (before: ServerRecord | null, after: ServerRecord): readonly SurfaceNote[] => {
  const who = shownServer(after);
  const notes: SurfaceNote[] = [];
  const { baseline } = after;
  if (baseline !== null && baseline.version !== before?.baseline?.version) {
    const detail = `${who}: baseline ${baseline.version} of ${baseline.items.length} items, ${baseline.hash}, by ${baseline.approved_by}`;
    notes.push({ event: "surface_approved", detail });
  }
  const known = new Map((before?.items ?? []).map((state) => [itemKey(state), state]));
  const changed = after.items.filter((state) => !isSame(state, known.get(itemKey(state))));
  const quarantined = changed.filter(
    (state) => state.action === "quarantine" && known.get(itemKey(state))?.action !== "quarantine",
  );
  const drifted = changed.filter((state) => !quarantined.includes(state));
  const self = after.self;
  const isSelfNew = self !== null && JSON.stringify(self) !== JSON.stringify(before?.self ?? null);
  const isSelfQuarantined = isSelfNew && self.action === "quarantine" && before?.self?.action !== "quarantine";
  const ofSelf = isSelfNew ? [`the server itself (${typesOf(self.findings)})`] : [];
  if (quarantined.length > 0 || isSelfQuarantined) {
    const named = [...(isSelfQuarantined ? ofSelf : []), ...inOrder(quarantined).map(shownState)];
    notes.push({ event: "surface_quarantined", detail: `${who}: ${listed(named)}` });
  }
  const named = [...(isSelfQuarantined ? [] : ofSelf), ...inOrder(drifted).map(shownState)];
  if (named.length > 0) notes.push({ event: "surface_drifted", detail: `${who}: ${listed(named)}` });
  return notes;
};

const isSame = (state: ItemState, before: ItemState | undefined): boolean =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(state);

const inOrder = (states: readonly ItemState[]): readonly ItemState[] =>
  [...states].sort((one, other) => severityRank[other.severity] - severityRank[one.severity]);

const shownState = (state: ItemState): string => {
  const what = holds(state.action) ? state.action : "monitored";
  return `${shownItem(state)} ${what} (${typesOf(state.findings)}) ${state.observed_hash ?? "gone"}`;
};

const typesOf = (findings: ItemState["findings"]): string =>
  [...new Set(findings.map(({ type }) => type))].slice(0, mostNamed).join(", ");

export const listed = (texts: readonly string[]): string =>
  texts.length <= mostNamed
    ? texts.join("; ")
    : `${texts.slice(0, mostNamed).join("; ")} and ${texts.length - mostNamed} more`;
