import { createHash } from "node:crypto";
import { canonicalJson } from "../../wire/canonical.ts";
import { maxSurfaceTtl_ms } from "../../wire/limits.ts";
import type { ServerIdentity } from "../../wire/server-identity.ts";
import type { NamedServer, SurfaceBody } from "../../wire/surface-body.ts";
import type { JsonValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import { blocked } from "../ask.ts";
import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import type { Engine, ReportedServer } from "../guard-options.ts";
import { isPlainObject } from "../plain-object.ts";
import { type HeldItem, heldItems, itemsOf } from "./held-items.ts";
import { type AskPage, type Listing, ListingRefused, type ListName, listNames, readListing } from "./listing.ts";

/** A server as its client asks it. */
export interface ListedServer {
  /** Which lists it has, as it declared; all of them where it declared nothing. */
  readonly lists: () => readonly ListName[];
  readonly ask: AskPage;
  readonly instructions: () => string | null;
  readonly identity: () => Promise<ServerIdentity | null>;
}

/** How long a report is relied on where the server says nothing: the daemon's own bound, 300 s by default, is never reached. */
const defaultTtl_ms = 240_000;
/** A listing that changes while it is read is read again this often. */
const maxAttempts = 3;

const action = "mcp.surface";

interface Report {
  readonly freshUntil_ms: number;
  /** How often the server had said that something changed when it was listed. */
  readonly changes: number;
  readonly held: readonly HeldItem[];
  /** Of each item by its list and name the canonical text; what is shown is compared with it. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Sees to it that the daemon knows what a server lists before anything of it is called or shown: reported first, then again when the
 * server says that it changed, and when the report's time is over. Where there is no listing, or no answer to it, nothing is called.
 */
export class SurfaceKeeper implements ReportedServer {
  readonly named: NamedServer;
  readonly #engine: Engine;
  readonly #server: ListedServer;
  readonly #now_ms: () => number;
  #report: Report | null = null;
  #reporting: Promise<void> | null = null;
  /** Rises with every word that something changed. */
  #changes = 0;
  #isKept: boolean;

  constructor(
    named: NamedServer,
    engine: Engine,
    server: ListedServer,
    now_ms: () => number = () => performance.now(),
  ) {
    this.named = named;
    this.#engine = engine;
    this.#server = server;
    this.#now_ms = now_ms;
    this.#isKept = typeof engine.surface === "function";
  }

  /** Does the daemon keep surfaces at all? Until it has said otherwise, it does. */
  get isKept(): boolean {
    return this.#isKept;
  }

  get held(): readonly HeldItem[] {
    return this.#report?.held ?? [];
  }

  /** The server said that a list changed. */
  changed(): void {
    this.#changes++;
  }

  /**
   * Before a server that was just opened can be listed: may its instructions be shown? Only they are reported, and what it lists is still
   * unknown. Rejects with BlockedError.
   */
  async mayInstruct(instructions: string): Promise<boolean> {
    if (!this.#isKept) return true;
    const lists = { tools: null, prompts: null, resources: null, resource_templates: null };
    const identity = await this.#identity();
    const held = await this.#tell({ ...this.named, ...lists, instructions, identity, ttl_ms: null });
    if (held === null) this.#isKept = false;
    return held?.every(({ kind }) => kind !== "instructions") ?? true;
  }

  /** Resolves once the daemon knows what the server lists. Rejects with BlockedError. */
  async ready(): Promise<void> {
    if (!this.#isKept || this.#isFresh()) return;
    await this.#reportOnce();
    // Once more for what changed meanwhile; a server that changes all the time is listed again before the next call.
    if (this.#isKept && this.#report?.changes !== this.#changes) await this.#reportOnce();
  }

  /** Lists and reports again, whatever is known. */
  async renew(): Promise<void> {
    this.#changes++;
    await this.ready();
  }

  #isFresh(): boolean {
    const report = this.#report;
    return report !== null && report.changes === this.#changes && this.#now_ms() < report.freshUntil_ms;
  }

  /** Whoever comes while it is under way waits for the same. */
  #reportOnce(): Promise<void> {
    this.#reporting ??= this.#list().finally(() => {
      this.#reporting = null;
    });
    return this.#reporting;
  }

  async #list(): Promise<void> {
    const begun_ms = this.#now_ms();
    const { listing, changes } = await this.#read();
    const body: SurfaceBody = {
      ...this.named,
      tools: listing.tools,
      prompts: listing.prompts,
      resources: listing.resources,
      resource_templates: listing.resource_templates,
      instructions: this.#server.instructions(),
      identity: await this.#identity(),
      ttl_ms: listing.ttl_ms === null ? null : Math.min(listing.ttl_ms, maxSurfaceTtl_ms),
    };
    const held = await this.#tell(body);
    if (held === null) {
      this.#isKept = false;
      return;
    }
    const ttl_ms = Math.min(listing.ttl_ms ?? defaultTtl_ms, defaultTtl_ms);
    this.#report = { freshUntil_ms: begun_ms + ttl_ms, changes, held, texts: textsOf(listing) };
  }

  async #identity(): Promise<ServerIdentity | null> {
    try {
      return await this.#server.identity();
    } catch (error) {
      throw unlisted(`it cannot be told what the server is: ${errorName(error)}`);
    }
  }

  /** `changes` is how many there had been when it was begun. */
  async #read(): Promise<{ readonly listing: Listing; readonly changes: number }> {
    try {
      for (let attempt = 1; ; attempt++) {
        const changes = this.#changes;
        const listing = await readListing(this.#server.lists(), this.#server.ask);
        if (changes === this.#changes || attempt === maxAttempts) return { listing, changes };
      }
    } catch (error) {
      if (error instanceof ListingRefused) throw unlisted(error.message);
      throw unlisted(`the server cannot be listed: ${errorName(error)}`);
    }
  }

  /** Null where the daemon keeps no surfaces. @throws BlockedError */
  async #tell(body: SurfaceBody): Promise<readonly HeldItem[] | null> {
    if (typeof this.#engine.surface !== "function") return null;
    let answer: Awaited<ReturnType<NonNullable<Engine["surface"]>>>;
    try {
      answer = await this.#engine.surface(body);
    } catch (error) {
      if (error instanceof BlockedError) throw error;
      throw blocked(action, `the guard engine gave no verdict on what the server lists: ${errorName(error)}`);
    }
    if (answer === null) return null;
    if (answer.verdict === Verdict.ALLOW) return [];
    if (answer.verdict === Verdict.MODIFY) {
      const held = heldItems(answer.modified_result);
      if (held !== null) return held;
      throw blocked(action, "the guard answered to what the server lists with something that is no answer");
    }
    throw new BlockedError(answer instanceof Decision ? answer : new Decision(answer), action);
  }

  /**
   * What of a page may be shown: neither what is held, nor what differs from what was reported under its name. `withheld` names what is
   * left out.
   */
  shown(
    list: ListName,
    items: readonly JsonValue[],
  ): { readonly items: readonly JsonValue[]; readonly differs: boolean } {
    const report = this.#report;
    if (!this.#isKept) return { items, differs: false };
    let differs = false;
    const kept = items.filter((item) => {
      const name = nameIn(list, item);
      if (name === null || report?.texts.get(`${list}:${name}`) !== canonicalJson(item as JsonValue)) {
        differs = true;
        return false;
      }
      return !this.isHeld(list, name);
    });
    return { items: kept.length === items.length ? items : kept, differs };
  }

  isHeld(list: ListName, name: string): boolean {
    const { kind } = itemsOf[list];
    return this.held.some((item) => item.kind === kind && item.name === name);
  }
}

const nameIn = (list: ListName, item: JsonValue): string | null => {
  const name = isPlainObject(item) ? item[itemsOf[list].named] : null;
  return typeof name === "string" ? name : null;
};

const textsOf = (listing: Listing): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  for (const list of listNames) {
    for (const item of listing[list] ?? []) {
      const name = nameIn(list, item);
      if (name !== null) texts.set(`${list}:${name}`, canonicalJson(item));
    }
  }
  return texts;
};

const unlisted = (reason: string): BlockedError =>
  new BlockedError(
    new Decision({
      verdict: Verdict.BLOCK,
      reason,
      details: { code: "surface_unlisted", approval_id: null, transaction_id: null, errors: [], replayed: false },
    }),
    action,
  );

/** A server's name, and the digest of whom its session shows itself as. */
export const namedServer = (server: string, credential: string | null): NamedServer =>
  Object.freeze({
    server,
    credential: credential === null ? null : `sha256:${createHash("sha256").update(credential).digest("hex")}`,
  });
