import { createHash } from "node:crypto";
import type { SensorEvent } from "../../../wire/event.ts";
import type { NamedServer } from "../../../wire/surface-body.ts";
import type { RuntimeSettings } from "../../config/settings.ts";
import type { ControlRecord, OpenLedger } from "../../ledger/record.ts";
import type { DocumentReads } from "../../store/document-rows.ts";
import { orLater } from "../../store/or-later.ts";
import { type Maybe, type Steps, step, whenDone } from "../../store/steps.ts";
import type { StoreTx } from "../../store/transaction-rows.ts";
import { actionOf } from "../finding.ts";
import type { SurfaceKeeper } from "../keeper.ts";
import { protocolActions } from "../protocol-actions.ts";
import { shownItem, shownServer } from "../state/notes.ts";
import { quarantineItem } from "../state/operator-changes.ts";
import { recordKey } from "../state/record.ts";
import { RecordMoved } from "../state/server-documents.ts";
import type { CallBehaviour } from "./call-behaviour.ts";
import type { RuntimeFinding } from "./finding.ts";
import { SessionLabels } from "./session-labels.ts";
import { defaultWindow, emptyProfile, isLearned, mergedProfile, type ToolProfile } from "./tool-profile.ts";

interface BehaviourTerms {
  readonly ledger: Pick<OpenLedger, "change"> & { readonly reads: DocumentReads };
  readonly keeper: Pick<SurfaceKeeper, "find" | "change">;
  readonly settings: RuntimeSettings;
  readonly now_ms: () => number;
  /** Digest of the rules in force. */
  readonly rules: () => string;
  readonly log: (line: string) => void;
}

/** One tool of one server, as it was approved. */
export interface ToolPlace {
  /** Of its document. */
  readonly key: string;
  readonly server: NamedServer;
  readonly tool: string;
  /** What was approved of it and when: with the next approval it is learned anew. */
  readonly approval: string;
}

/** A document of the collection `profile`. Names, classes, registrable domains and digests. */
interface ProfileDocument extends NamedServer {
  readonly v: 1;
  readonly tool: string;
  readonly approval: string;
  readonly profile: ToolProfile;
}

interface Entry extends ToolPlace {
  readonly profile: ToolProfile;
  readonly version: number;
  /** Learned since it was written. */
  readonly isNew: boolean;
}

type Note = (record: ControlRecord) => Steps<void>;

/** Tools that are learned, all servers together; those beyond are not, and what they do is not held against anything. */
const maxProfiles = 50_000;
/** What was told once of a tool is not told again; so much of it is remembered. */
const maxTold = 10_000;
const pageSize = 500;

/**
 * What each tool of each server does, learned as it is called. What is learned is written every now and then, not with every call: a
 * daemon that is killed has learned the last calls for nothing, and learns them again.
 */
export class Behaviours {
  readonly #terms: BehaviourTerms;
  readonly #profiles = new Map<string, Entry>();
  readonly #told = new Set<string>();
  readonly labels = new SessionLabels();

  constructor(terms: BehaviourTerms) {
    this.#terms = terms;
  }

  get settings(): RuntimeSettings {
    return this.#terms.settings;
  }

  now_ms(): number {
    return this.#terms.now_ms();
  }

  /** Null for what is no tool of a server that is known. What reads calls and results is loaded with the first. */
  of(
    session: object,
    server: NamedServer | null,
    { action, phase }: Pick<SensorEvent, "action" | "phase">,
  ): Maybe<CallBehaviour | null> {
    const { reach, response, effect, chain } = this.settings;
    const isWatched = [reach, response, effect, chain].some((watch) => watch !== "off");
    if (server === null || !isWatched || protocolActions.has(action)) return null;
    const record = recordKey(server);
    const approval = this.#terms.keeper.find(record)?.approvals.get(`tool:${action}`);
    if (approval === undefined) return null;
    const key = `${record}:${createHash("sha256").update(action).digest("hex")}`;
    const place: ToolPlace = { key, server, tool: action, approval };
    return whenDone(reader(), (Reader) => new Reader(this, place, session, phase));
  }

  profileOf({ key, approval }: ToolPlace): ToolProfile {
    const entry = this.#profiles.get(key);
    return entry?.approval === approval ? entry.profile : emptyProfile(this.now_ms());
  }

  learned(place: ToolPlace, profile: ToolProfile): void {
    const before = this.#profiles.get(place.key);
    if (before === undefined && this.#profiles.size >= maxProfiles) {
      this.#tellOnce("full", () => this.#terms.log(`${maxProfiles} tools are learned; what others do is not`));
      return;
    }
    this.#profiles.set(place.key, { ...place, profile, version: before?.version ?? 0, isNew: true });
  }

  /** Told in the chain once for each type; what is critical and held quarantines the tool. */
  found(place: ToolPlace, findings: readonly RuntimeFinding[], isHeld: boolean): void {
    const worst = findings.find(({ severity }) => actionOf[severity] === "quarantine");
    if (isHeld && worst !== undefined) this.#quarantine(place, findings);
    else for (const one of findings) this.#note(place, one, isHeld && actionOf[one.severity] === "deny");
  }

  #quarantine({ server, tool }: ToolPlace, findings: readonly RuntimeFinding[]): void {
    const by = { by: "daemon", now_ms: this.now_ms() };
    const all = findings.map((one) => ({ ...one, path: null, relation: null }));
    const why = findings.map(({ type, reason }) => `${type}: ${reason}`).join("; ");
    orLater(() =>
      this.#terms.keeper.change(server, (record) => quarantineItem(record, { kind: "tool", name: tool }, all, by, why)),
    );
  }

  #note({ key, approval, server, tool }: ToolPlace, { type, reason }: RuntimeFinding, isHeld: boolean): void {
    const what = `${shownServer(server)}: ${shownItem({ kind: "tool", name: tool })} ${isHeld ? "denied" : "monitored"}`;
    this.#tellOnce(`${key} ${approval} ${type}`, () =>
      orLater(() =>
        this.#terms.ledger.change((_, note) => note(this.#noted("surface_drifted", `${what} (${type}: ${reason})`))),
      ),
    );
  }

  #tellOnce(what: string, tell: () => void): void {
    if (this.#told.has(what)) return;
    if (this.#told.size >= maxTold) this.#told.clear();
    this.#told.add(what);
    tell();
  }

  #noted(event: ControlRecord["event"], detail: string): ControlRecord {
    const rules = this.#terms.rules();
    return { time_ms: this.now_ms(), event, rules, rules_before: rules, detail };
  }

  /** Reads what others learned since. Throws StoreFailed. */
  async look(): Promise<void> {
    const { reads } = this.#terms.ledger;
    if (this.#profiles.size === 0) return this.#readAll(reads);
    for (const { key, version } of await reads.documentVersions("profile")) {
      if ((this.#profiles.get(key)?.version ?? 0) >= version) continue;
      const row = await reads.findDocument("profile", key);
      if (row !== null) this.#take(key, row.version, row.body);
    }
  }

  async #readAll(reads: DocumentReads): Promise<void> {
    for (let after = ""; this.#profiles.size < maxProfiles; ) {
      const page = await reads.listDocuments("profile", { prefix: "", after, limit: pageSize });
      for (const { key, version, body } of page) this.#take(key, version, body);
      if (page.length < pageSize) return;
      after = (page.at(-1) as { key: string }).key;
    }
  }

  #take(key: string, version: number, body: string): void {
    const { server, credential, tool, approval, profile } = JSON.parse(body) as ProfileDocument;
    const own = this.#profiles.get(key);
    const isSame = own?.approval === approval;
    // What is learned here of another approval is newer: the next write says so.
    if (own !== undefined && !isSame && own.isNew) {
      this.#profiles.set(key, { ...own, version });
      return;
    }
    const merged = own !== undefined && isSame ? mergedProfile(own.profile, profile) : profile;
    const isNew = own?.isNew === true;
    this.#profiles.set(key, { key, server: { server, credential }, tool, approval, profile: merged, version, isNew });
  }

  /** Writes what was learned since. Throws StoreFailed; then the next one writes it. */
  flush(): Maybe<void> {
    const dirty = [...this.#profiles.values()].filter(({ isNew }) => isNew).slice(0, pageSize);
    if (dirty.length === 0) return;
    const written = (entries: readonly Entry[]): void => {
      for (const entry of entries) {
        const now = this.#profiles.get(entry.key);
        const before = dirty.find(({ key }) => key === entry.key);
        if (now === before) this.#profiles.set(entry.key, entry);
        else if (now !== undefined) this.#profiles.set(entry.key, { ...now, version: entry.version });
      }
    };
    const failed = (error: unknown): void => {
      // Another daemon was first: its word is read with the next look or write.
      if (!(error instanceof RecordMoved)) throw error;
    };
    try {
      const done = this.#terms.ledger.change((tx, note) => this.#write(tx, note, dirty));
      return done instanceof Promise ? done.then(written, failed) : written(done);
    } catch (error) {
      return failed(error);
    }
  }

  *#write(tx: StoreTx, note: Note, dirty: readonly Entry[]): Steps<readonly Entry[]> {
    const written: Entry[] = [];
    for (const entry of dirty) {
      const row = yield* step(tx.findDocument("profile", entry.key));
      const stored = row === null ? null : (JSON.parse(row.body) as ProfileDocument);
      const before = stored?.approval === entry.approval ? stored.profile : null;
      const profile = before === null ? entry.profile : mergedProfile(entry.profile, before);
      const { server: of, tool, approval } = entry;
      const body: ProfileDocument = { v: 1, server: of.server, credential: of.credential, tool, approval, profile };
      const version = row?.version ?? 0;
      if (!(yield* step(tx.putDocument("profile", entry.key, version, JSON.stringify(body))))) throw new RecordMoved();
      for (const detail of this.#learnings(entry, before, profile)) {
        yield* note(this.#noted("behaviour_learned", detail));
      }
      written.push({ ...entry, profile, version: version + 1, isNew: false });
    }
    return written;
  }

  /** What is learned by this write, as the chain has it. */
  *#learnings({ server, tool }: ToolPlace, before: ToolProfile | null, after: ToolProfile): Generator<string> {
    const who = `${shownServer(server)}: ${shownItem({ kind: "tool", name: tool })}`;
    const isNow = (count: "calls" | "results"): boolean => {
      const was = before !== null && isLearned(before[count], before, defaultWindow, this.now_ms());
      return !was && isLearned(after[count], after, defaultWindow, this.now_ms());
    };
    if (isNow("calls")) yield `${who} reach of ${after.calls} calls, ${after.destinations.length} destinations`;
    if (isNow("results")) {
      const effects = after.effect_classes.join(", ") || "none told";
      const classes = after.response_classes.join(", ") || "none";
      yield `${who} results of ${after.results}, classes: ${classes}, effects: ${effects}`;
    }
  }
}

type Reader = typeof CallBehaviour;
let loaded: Reader | null = null;

const reader = (): Maybe<Reader> =>
  loaded ??
  import("./call-behaviour.ts").then(({ CallBehaviour: read }) => {
    loaded = read;
    return read;
  });
