import { maxSeenItems, maxServersOfSession, shortestTtl_ms } from "./limits.ts";
import type { SeenSurface } from "./seen-surface.ts";

/** A surface as a session reported it. */
export interface ReportedSurface {
  readonly seen: SeenSurface;
  readonly at_ms: number;
  readonly until_ms: number;
}

/** Anything that stands for a session: one object as long as it lives. */
type SessionOf = object;

interface Entry extends ReportedSurface {
  readonly of: Map<string, Entry>;
  readonly key: string;
}

/**
 * What each session was shown, by server and credential (`recordKey`). A call is judged by what its own session saw: what another
 * was shown says nothing of what this one's model read. Bounded over all of them: those who reported longest ago report again.
 */
export class SessionSurfaces {
  readonly #ofSession = new WeakMap<SessionOf, Map<string, Entry>>();
  /** In the order in which they were reported. */
  readonly #entries = new Set<Entry>();
  #items = 0;

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
    if (before !== undefined) this.#drop(before);
    const entry: Entry = { seen, at_ms: now_ms, until_ms: now_ms + Math.max(ttl_ms, shortestTtl_ms), of, key };
    of.set(key, entry);
    this.#entries.add(entry);
    this.#items += weightOf(entry);
    const [oldestOfSession] = of.values();
    if (of.size > maxServersOfSession && oldestOfSession !== undefined) this.#drop(oldestOfSession);
    for (const oldest of this.#entries) {
      if (this.#items <= maxSeenItems || oldest === entry) break;
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
    if (this.#entries.delete(entry)) this.#items -= weightOf(entry);
  }
}

/** A server that offers nothing takes its place too. */
const weightOf = ({ seen }: Entry): number => seen.hashes.size + 1;
