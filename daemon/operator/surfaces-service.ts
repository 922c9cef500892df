import type { JsonObject } from "../../wire/value.ts";
import { runSteps } from "../store/steps.ts";
import type { Severity } from "../surfaces/finding.ts";
import { findDefinition } from "../surfaces/state/definitions.ts";
import type { KnownServer } from "../surfaces/state/known-server.ts";
import {
  approveItem,
  type By,
  type Changed,
  type NotChanged,
  promote,
  quarantineItem,
  removeServer,
  trustServer,
} from "../surfaces/state/operator-changes.ts";
import { type Baseline, hashesOf, type ItemState, reviewHash, type ServerRecord } from "../surfaces/state/record.ts";
import { parseBaseline } from "../surfaces/state/server-documents.ts";
import { type ItemRef, itemKey, type ServerKey } from "../surfaces/surface.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import { OperatorRefused } from "./refusal.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** One line of `servers list`. */
export interface ServerView extends ServerKey {
  readonly trust: ServerRecord["trust"];
  readonly environment: ServerRecord["environment"];
  readonly probes: boolean;
  readonly first_seen_ms: number;
  /** When something else was listed last than before. */
  readonly observed_ms: number;
  readonly baseline: Pick<Baseline, "version" | "approved_ms" | "approved_by"> | null;
  /** How many items are listed, monitored, denied, quarantined. */
  readonly items: number;
  readonly monitored: number;
  readonly denied: number;
  readonly quarantined: number;
  /** What is found of the server itself; `none` where it is who was approved. */
  readonly self: Severity;
  /** What `rebaseline` names: of the baseline (null where nothing is approved), and of what was listed last. */
  readonly current_hash: string | null;
  readonly candidate_hash: string;
}

/** Everything that is kept of a server but the definitions. */
export interface ServerDetail extends ServerView {
  readonly record: ServerRecord;
}

/** One line of `drift list`: an item that is not as it was approved, or the server itself (`kind` `"server"`). */
export interface DriftView extends ServerKey {
  readonly kind: ItemRef["kind"] | "server";
  readonly name: string;
  readonly action: ItemState["action"];
  readonly severity: Severity;
  readonly findings: ItemState["findings"];
  readonly approved_hash: string | null;
  /** What `approve` names; null where it is not listed any more. */
  readonly observed_hash: string | null;
  /** As it was when it became held, where it has changed since; else null. */
  readonly held_hash: string | null;
  readonly by: string;
  readonly since_ms: number;
}

/** What a reviewer compares. A definition is null where there is none, or it is kept no more. Untrusted text. */
export interface DriftDetail extends DriftView {
  readonly approved: JsonObject | null;
  readonly observed: JsonObject | null;
  readonly held: JsonObject | null;
}

/** One version of a baseline, newest first in a list. */
export interface BaselineView extends Pick<Baseline, "version" | "hash" | "approved_ms" | "approved_by"> {
  readonly items: number;
}

const mostVersions = 1_000;

/**
 * What operators do about surfaces. Everything is asynchronous and throws OperatorRefused: `no_server`, `no_item`, `stale_surface` (what is
 * there is not what was reviewed; nothing was changed), `nothing_to_approve`, `store_unavailable`.
 */
export class SurfacesService {
  readonly #plane: OperatorPlane;

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  /** By name, then credential. */
  listServers(): readonly ServerView[] {
    return this.#plane.surfaces.list().map(({ record }) => viewOf(record));
  }

  showServer(server: ServerKey): ServerDetail {
    const { record } = this.#known(server);
    return { ...viewOf(record), record };
  }

  /** Worst first. */
  listDrift(server: ServerKey | null): readonly DriftView[] {
    const known = server === null ? this.#plane.surfaces.list() : [this.#known(server)];
    return known.flatMap(({ record }) => driftOf(record)).sort((one, other) => rank[other.action] - rank[one.action]);
  }

  /** Of an item that is as it was approved too: a reviewer may want to look before quarantining it. */
  async showDrift(server: ServerKey, item: ItemRef): Promise<DriftDetail> {
    const { key, record } = this.#known(server);
    const view =
      driftOf(record).find(({ kind, name }) => kind === item.kind && name === item.name) ?? asApproved(record, item);
    if (view === null) throw new OperatorRefused("no_item");
    const of = (hash: string | null) => this.#definition(key, hash);
    const held = view.held_hash === view.observed_hash ? null : view.held_hash;
    return {
      ...view,
      approved: await of(view.approved_hash),
      observed: await of(view.observed_hash),
      held: await of(held),
    };
  }

  /** @param hash as it was reviewed; null approves that the item is not listed any more */
  approve(operator: Operator, server: ServerKey, item: ItemRef, hash: string | null): Promise<ServerView> {
    return this.#change(server, (record) => approveItem(record, item, hash, this.#by(operator)));
  }

  quarantine(operator: Operator, server: ServerKey, item: ItemRef, reason: string): Promise<ServerView> {
    return this.#change(server, (record) => quarantineItem(record, item, [], this.#by(operator), reason));
  }

  /** Everything that was listed last becomes the baseline, and every quarantine of the server ends. */
  rebaseline(
    operator: Operator,
    server: ServerKey,
    expected: { readonly current: string | null; readonly candidate: string },
  ): Promise<ServerView> {
    return this.#change(server, (record) => promote(record, expected, this.#by(operator)));
  }

  /** Also of a removed one: its calls are judged again. */
  trust(operator: Operator, server: ServerKey, as: Pick<ServerRecord, "environment" | "probes">): Promise<ServerView> {
    return this.#change(server, (record) => trustServer(record, as, this.#by(operator)));
  }

  remove(operator: Operator, server: ServerKey, reason: string): Promise<ServerView> {
    return this.#change(server, (record) => removeServer(record, this.#by(operator), reason));
  }

  /** The newest 1,000, newest first. */
  async history(server: ServerKey): Promise<readonly BaselineView[]> {
    const { key } = this.#known(server);
    const { reads } = this.#plane.ledger;
    const rows = await storeOrRefused(async () =>
      reads.listDocuments("baseline", { prefix: `${key}:`, after: "", limit: mostVersions }),
    );
    return rows
      .map(({ body }) => parseBaseline(body))
      .map(({ version, hash, approved_ms, approved_by, items }) => ({
        version,
        hash,
        approved_ms,
        approved_by,
        items: items.length,
      }))
      .reverse();
  }

  /** A baseline with its definitions, as `export`ed or compared offline: `{kind, name, hash, definition}` of each item. */
  async baselineItems(
    server: ServerKey,
  ): Promise<readonly (ItemRef & { readonly hash: string; readonly definition: JsonObject | null })[]> {
    const { key, record } = this.#known(server);
    const items: (ItemRef & { readonly hash: string; readonly definition: JsonObject | null })[] = [];
    for (const item of record.baseline?.items ?? [])
      items.push({ ...item, definition: await this.#definition(key, item.hash) });
    return items;
  }

  #known(server: ServerKey): KnownServer {
    const known = this.#plane.surfaces
      .list()
      .find(({ record }) => record.server === server.server && record.credential === server.credential);
    if (known === undefined) throw new OperatorRefused("no_server");
    return known;
  }

  #definition(key: string, hash: string | null): Promise<JsonObject | null> {
    const { reads } = this.#plane.ledger;
    return storeOrRefused(async () => (hash === null ? null : runSteps(findDefinition(reads, key, hash))));
  }

  async #change(server: ServerKey, work: (record: ServerRecord) => Changed | NotChanged): Promise<ServerView> {
    const changed = await storeOrRefused(async () => this.#plane.surfaces.change(server, work));
    if (changed === null) throw new OperatorRefused("no_server");
    if (!("kind" in changed)) return viewOf(changed.record);
    switch (changed.kind) {
      case "no_item":
        throw new OperatorRefused("no_item");
      case "nothing_to_approve":
        throw new OperatorRefused("nothing_to_approve");
      case "stale":
        throw new OperatorRefused("stale_surface", `it is ${changed.is ?? "not listed any more"} by now; review that`);
      case "stale_rebaseline":
        throw new OperatorRefused(
          "stale_surface",
          `the baseline is ${changed.current ?? "none"} and the newest listing ${changed.candidate} by now; review that`,
        );
    }
  }

  #by({ name }: Operator): By {
    return { by: `operator:${name}`, now_ms: this.#plane.now_ms() };
  }
}

const rank: Readonly<Record<DriftView["action"], number>> = { monitor: 0, deny: 1, quarantine: 2 };

const viewOf = (record: ServerRecord): ServerView => {
  const { baseline, environment, first_seen_ms, items, observed, probes, trust } = record;
  const count = (action: ItemState["action"]): number => items.filter((state) => state.action === action).length;
  return {
    server: record.server,
    credential: record.credential,
    trust,
    environment,
    probes,
    first_seen_ms,
    observed_ms: observed.at_ms,
    baseline:
      baseline === null
        ? null
        : { version: baseline.version, approved_ms: baseline.approved_ms, approved_by: baseline.approved_by },
    items: observed.items.length,
    monitored: count("monitor"),
    denied: count("deny"),
    quarantined: count("quarantine"),
    self: record.self?.severity ?? "none",
    current_hash: baseline === null ? null : reviewHash(baseline),
    candidate_hash: reviewHash(observed),
  };
};

const driftOf = ({ server, credential, items, self }: ServerRecord): readonly DriftView[] => [
  ...(self === null
    ? []
    : [
        {
          server,
          credential,
          kind: "server" as const,
          name: "",
          ...self,
          approved_hash: null,
          observed_hash: null,
          held_hash: null,
          by: "daemon",
        },
      ]),
  ...items.map((state) => ({ server, credential, ...state })),
];

const asApproved = (record: ServerRecord, { kind, name }: ItemRef): DriftView | null => {
  const key = itemKey({ kind, name });
  const approved_hash = hashesOf(record.baseline?.items ?? []).get(key) ?? null;
  if (approved_hash === null) return null;
  const observed_hash = hashesOf(record.observed.items).get(key) ?? null;
  const { server, credential, baseline } = record;
  return {
    server,
    credential,
    kind,
    name,
    action: "monitor",
    severity: "none",
    findings: [],
    approved_hash,
    observed_hash,
    held_hash: null,
    by: baseline?.approved_by ?? "daemon",
    since_ms: baseline?.approved_ms ?? 0,
  };
};
