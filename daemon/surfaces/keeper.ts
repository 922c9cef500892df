import type { ControlRecord, OpenLedger } from "../ledger/record.ts";
import type { DocumentReads } from "../store/document-rows.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Maybe, type Steps, step, whenDone } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { type Classify, classifier } from "./classifier.ts";
import type { OtherServer } from "./classify/index.ts";
import { maxKnownItems, maxOtherTools, maxServers } from "./limits.ts";
import { judgeProvenance } from "./provenance/judge.ts";
import type { ProvenancePolicy } from "./provenance/policy.ts";
import { type SeenSurface, seenSurface } from "./seen-surface.ts";
import { approveDefinitions, approvedSurface, keepDefinitions } from "./state/definitions.ts";
import type { BaselineMode } from "./state/first-use.ts";
import { judgeReport } from "./state/judge-report.ts";
import { type KnownServer, knownServer } from "./state/known-server.ts";
import { reportNotes, type SurfaceNote } from "./state/notes.ts";
import type { Changed, NotChanged } from "./state/operator-changes.ts";
import { parseRecord, recordKey, type ServerRecord } from "./state/record.ts";
import { RecordMoved, readStored, writeRecord } from "./state/server-documents.ts";
import type { ServerKey, Surface } from "./surface.ts";

type KeeperLedger = Pick<OpenLedger, "change"> & { readonly reads: DocumentReads };

export interface KeeperTerms {
  readonly ledger: KeeperLedger;
  readonly mode: BaselineMode;
  readonly provenance: ProvenancePolicy;
  readonly now_ms: () => number;
  /** Digest of the rules in force. */
  readonly rules: () => string;
  readonly log: (line: string) => void;
}

/** A report that was taken: what is known of its server by now, and what its session saw. */
export interface TakenReport {
  readonly kind: "taken";
  readonly known: KnownServer;
  readonly seen: SeenSurface;
  /** What the policy of provenance has to say of a server that it lets serve; "" for nothing. */
  readonly provenance: string;
}

export type NotTaken =
  | { readonly kind: "removed" }
  | { readonly kind: "too_many_items" | "too_many_servers" }
  /** The policy of the configuration refuses where it comes from; `reason` says in what. */
  | { readonly kind: "provenance"; readonly reason: string };

type WrittenReport = Omit<TakenReport, "provenance">;

interface Reporting {
  readonly key: string;
  readonly observed: Surface;
  readonly classify: Classify;
}

type Note = (record: ControlRecord) => Steps<void>;

/** So often another daemon may be first. */
const attempts = 5;

/**
 * What is known of every server, as the store has it. Whatever changes is written there with its receipt before it counts here; a
 * daemon that shares its store notices what others wrote at its next look.
 */
export class SurfaceKeeper {
  readonly #terms: KeeperTerms;
  readonly #servers = new Map<string, KnownServer>();
  /** Of each server, what was made of the surface that was reported last: the same again costs no classification. */
  readonly #judged = new Map<
    string,
    { readonly version: number; readonly surface: string; readonly seen: SeenSurface }
  >();
  /** Of all servers, what `itemsOf` counts. */
  #items = 0;
  /** When something of a server became held last: what was allowed until then is not allowed again by asking again. */
  held_ms = 0;

  constructor(terms: KeeperTerms) {
    this.#terms = terms;
  }

  find(key: string): KnownServer | null {
    return this.#servers.get(key) ?? null;
  }

  /** By name, then credential. */
  list(): readonly KnownServer[] {
    const nameOf = ({ record }: KnownServer): string => JSON.stringify([record.server, record.credential ?? ""]);
    return [...this.#servers.values()].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  }

  /** Reads what others wrote since. Also what stands at the start, before anybody is served. Throws StoreFailed. */
  async look(): Promise<void> {
    const { reads } = this.#terms.ledger;
    const versions = await reads.documentVersions("server");
    for (const { key, version } of versions) {
      if ((this.#servers.get(key)?.version ?? 0) >= version) continue;
      const row = await reads.findDocument("server", key);
      if (row !== null) this.#put({ key, version: row.version }, parseRecord(row.body));
    }
  }

  /** Takes a report down and judges it. What it changes is durable, with its receipts, when this answers. Throws StoreFailed. */
  report(observed: Surface): Maybe<TakenReport | NotTaken> {
    const key = recordKey(observed);
    const known = this.#servers.get(key);
    if (known?.record.trust === "removed") return { kind: "removed" };
    // Before anything of it is kept: what may not serve is approved by no first use either.
    const origin = judgeProvenance(this.#terms.provenance, observed.identity);
    if (origin.status === "denied" || origin.status === "quarantine")
      return { kind: "provenance", reason: origin.reason };
    const provenance = origin.reason;
    if (known === undefined && this.#servers.size >= maxServers) return { kind: "too_many_servers" };
    // A server that offers no more than it did is judged all the same.
    const more = observed.items.length - (known?.record.observed.items.length ?? 0);
    if (more > 0 && this.#items + more > maxKnownItems) return { kind: "too_many_items" };
    const surface = JSON.stringify([observed.hash, observed.identity, observed.listed]);
    const judged = this.#judged.get(key);
    if (known !== undefined && judged?.version === known.version && judged.surface === surface) {
      return { kind: "taken", known, seen: judged.seen, provenance };
    }
    const classify = classifier();
    const judge = (by: Classify): Maybe<TakenReport | NotTaken> =>
      whenDone(this.#written({ key, observed, classify: by }), (taken) => {
        if (taken.kind !== "taken") return taken;
        const stands = this.#put(taken.known, taken.known.record);
        this.#judged.set(key, { version: stands.version, surface, seen: taken.seen });
        return { ...taken, known: stands, provenance };
      });
    return classify instanceof Promise ? classify.then(judge) : judge(classify);
  }

  #written(reporting: Reporting): Maybe<WrittenReport | NotTaken> {
    return this.#retried(() => this.#terms.ledger.change((tx, note) => this.#report(tx, note, reporting)));
  }

  /**
   * Changes what is known of a server by `work`, which is given the newest that is known. What it answers is written and noted, or it
   * says why it changed nothing; null where nobody ever reported the server. Throws StoreFailed.
   */
  change(
    server: ServerKey,
    work: (record: ServerRecord) => Changed | NotChanged,
  ): Maybe<KnownServer | NotChanged | null> {
    const key = recordKey(server);
    const changing = () => this.#terms.ledger.change((tx, note) => this.#change(tx, note, key, work));
    return whenDone(this.#retried(changing), (changed) =>
      changed === null || "kind" in changed ? changed : this.#put(changed, changed.record),
    );
  }

  *#report(tx: StoreTx, note: Note, { key, observed, classify }: Reporting): Steps<WrittenReport | NotTaken> {
    const stored = yield* readStored(tx, key);
    const before = stored.record;
    if (before?.trust === "removed") return { kind: "removed" };
    const approved = before === null ? null : yield* approvedSurface(tx, key, before);
    const { mode, now_ms } = this.#terms;
    const terms = { classify, mode, others: this.#others(observed.server), now_ms: now_ms() };
    const { record, drift } = judgeReport(before, approved, observed, terms);
    const seen = seenSurface(observed, drift, record.baseline?.version ?? 0);
    if (record === before) return { kind: "taken", known: knownServer(stored, record), seen };
    const written = yield* writeRecord(tx, stored, record);
    yield* keepDefinitions(tx, key, before, record, observed);
    yield* this.#noteAll(note, reportNotes(before, record));
    return { kind: "taken", known: knownServer(written, record), seen };
  }

  *#change(
    tx: StoreTx,
    note: Note,
    key: string,
    work: (record: ServerRecord) => Changed | NotChanged,
  ): Steps<KnownServer | NotChanged | null> {
    const stored = yield* readStored(tx, key);
    if (stored.record === null) return null;
    const changed = work(stored.record);
    if (changed.kind !== "changed") return changed;
    const written = yield* writeRecord(tx, stored, changed.record);
    yield* approveDefinitions(tx, key, stored.record, changed.record);
    if (changed.probe !== undefined) yield* step(tx.keepDocument("probe", changed.probe.key, changed.probe.body));
    yield* this.#noteAll(note, changed.notes);
    return knownServer(written, changed.record);
  }

  *#noteAll(note: Note, notes: readonly SurfaceNote[]): Steps<void> {
    const rules = this.#terms.rules();
    const time_ms = this.#terms.now_ms();
    for (const { event, detail } of notes) {
      if (event === "surface_quarantined" || event === "server_removed") this.#terms.log(`${event}: ${detail}`);
      yield* note({ time_ms, event, rules, rules_before: rules, detail });
    }
  }

  /** An older one than is known here, read while it was written, does not take its place. */
  #put({ key, version }: Pick<KnownServer, "key" | "version">, record: ServerRecord): KnownServer {
    const before = this.#servers.get(key);
    if (before !== undefined && before.version >= version) return before;
    const known = knownServer({ key, version, record }, record);
    this.#servers.set(key, known);
    this.#items += itemsOf(record) - (before === undefined ? 0 : itemsOf(before.record));
    if (record.items.length > 0 || record.self !== null || record.trust === "removed")
      this.held_ms = this.#terms.now_ms();
    return known;
  }

  /** Names only, and not of the same server to somebody else. Those with few first: one that offers very many crowds out none of them. */
  #others(server: string): readonly OtherServer[] {
    const others: OtherServer[] = [];
    for (const { record } of this.#servers.values()) {
      if (record.server === server || record.trust === "removed") continue;
      const tools = record.observed.items.filter(({ kind }) => kind === "tool").map(({ name }) => name);
      others.push({ server: record.server, tools });
    }
    others.sort((one, other) => one.tools.length - other.tools.length);
    let left = maxOtherTools;
    return others.flatMap(({ server, tools }) => {
      const compared = tools.slice(0, left);
      left -= compared.length;
      return compared.length === 0 ? [] : [{ server, tools: compared }];
    });
  }

  #retried<T>(work: () => Maybe<T>, left = attempts): Maybe<T> {
    const failed = (error: unknown): Maybe<T> => {
      if (!(error instanceof RecordMoved)) throw error;
      if (left <= 1) throw new StoreFailed("the record of the server changes too quickly");
      return this.#retried(work, left - 1);
    };
    try {
      const done = work();
      return done instanceof Promise ? done.catch(failed) : done;
    } catch (error) {
      return failed(error);
    }
  }
}

/** What a record holds in memory by the item. */
const itemsOf = ({ baseline, observed, items }: ServerRecord): number =>
  observed.items.length +
  (baseline?.items.length ?? 0) +
  items.reduce((sum, { findings }) => sum + 1 + findings.length, 0);
