import { maxSeenItems, maxServersOfSession, shortestTtl_ms } from "./limits.ts";
import type { SeenSurface } from "./seen-surface.ts";
import type { ItemKind } from "./surface.ts";

/** The newest report that listed this kind. */
export interface KindReport {
  readonly seen: SeenSurface;
  readonly at_ms: number;
  readonly until_ms: number;
}

/** What a session reported of a server. Not every report lists every kind: what one did not ask for is as the one before it had it. */
export interface ReportedSurface {
  readonly kinds: ReadonlyMap<ItemKind, KindReport>;
  /** The newest of all. */
  readonly newest: SeenSurface;
}

/** Anything that stands for a session: one object as long as it lives. */
type SessionOf = object;

interface Entry extends ReportedSurface {
  readonly of: Map<string, Entry>;
  readonly key: string;
  readonly weight: number;
}

/**
 * What each session was shown, by server and credential (`recordKey`). A call is judged by what its own session saw: what another
 * was shown says nothing of what this one's model read. Bounded over all of them: those who reported longest ago report again.
 */
export class SessionSurfaces {
  readonly #ofSession = new WeakMap<SessionOf, Map<string, Entry>>();
  /** In the order in which they were reported. */
  readonly #entries = new Set<Entry>();
  #weight = 0;

  find(session: SessionOf, key: string): ReportedSurface | null {
    return this.#ofSession.get(session)?.get(key) ?? null;
  }

  /** @param ttl_ms how long it holds by its server and the settings together. */
  report(session: SessionOf, key: string, seen: SeenSurface, now_ms: number, ttl_ms: number): void {
    let of = this.#ofSession.get(session);
    if (of === undefined) {
      of = new Map();
      this.#ofSession.set(session, of);
    }
    const before = of.get(key);
    const kinds = new Map(before?.kinds);
    const until_ms = now_ms + Math.max(ttl_ms, shortestTtl_ms);
    for (const kind of seen.listed) kinds.set(kind, { seen, at_ms: now_ms, until_ms });
    if (before !== undefined) this.#drop(before);
    const entry: Entry = { kinds, newest: seen, of, key, weight: weightOf(kinds) };
    of.set(key, entry);
    this.#entries.add(entry);
    this.#weight += entry.weight;
    const [oldestOfSession] = of.values();
    if (of.size > maxServersOfSession && oldestOfSession !== undefined) this.#drop(oldestOfSession);
    for (const oldest of this.#entries) {
      if (this.#weight <= maxSeenItems || oldest === entry) break;
      this.#drop(oldest);
    }
  }

  /** Its listing was refused: what it saw before is not what it sees. */
  forget(session: SessionOf, key: string): void {
    const entry = this.#ofSession.get(session)?.get(key);
    if (entry !== undefined) this.#drop(entry);
  }

  #drop(entry: Entry): void {
    entry.of.delete(entry.key);
    if (this.#entries.delete(entry)) this.#weight -= entry.weight;
  }
}

/** Items; a server that offers nothing takes its place too. */
const weightOf = (kinds: ReadonlyMap<ItemKind, KindReport>): number =>
  [...new Set([...kinds.values()].map(({ seen }) => seen))].reduce((sum, { hashes }) => sum + hashes.size + 1, 1);
