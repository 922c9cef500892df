import { maxKeptAnswersPerSession } from "../../wire/limits.ts";

/** Sessions remembered at once; the one that was idle longest is forgotten first. */
export const maxSessions = 512;
/** Requests remembered over all sessions: what bounds the memory. */
export const maxIndexedRequests = 131_072;
/** Longer than any string that the engine stores inline: a longer id may be a slice that keeps a whole frame alive. */
const maxInlineLength = 12;

interface Session {
  /**
   * Two generations: the newest `maxKeptAnswersPerSession` are always in one of them, and forgetting the older is one
   * assignment. (Deleting the oldest key of a Map one by one walks over the deleted ones each time.)
   */
  recent: Map<string, number>;
  older: Map<string, number>;
  lastSeq: number;
}

/** Which receipt answered a session's request. A hint only: what it finds is compared with the receipt itself. */
export class ResendIndex {
  readonly #sessions = new Map<string, Session>();
  #requests = 0;

  get size(): number {
    return this.#requests;
  }

  note(session: string, request: string, seq: number): void {
    let entry = this.#sessions.get(session);
    if (entry === undefined) {
      entry = { recent: new Map(), older: new Map(), lastSeq: seq };
      this.#sessions.set(session, entry);
      if (this.#sessions.size > maxSessions) this.#forgetIdlest();
    }
    entry.lastSeq = seq;
    const before = entry.recent.size;
    entry.recent.set(request.length > maxInlineLength ? Buffer.from(request).toString() : request, seq);
    this.#requests += entry.recent.size - before;
    if (entry.recent.size >= maxKeptAnswersPerSession) {
      this.#requests -= entry.older.size;
      entry.older = entry.recent;
      entry.recent = new Map();
    }
    if (this.#requests > maxIndexedRequests) this.#forgetIdlest();
  }

  find(session: string, request: string): number | null {
    const entry = this.#sessions.get(session);
    return entry?.recent.get(request) ?? entry?.older.get(request) ?? null;
  }

  /** Forgets sessions whose newest receipt is older than `seq`. */
  forgetBefore(seq: number): void {
    for (const [name, session] of this.#sessions) if (session.lastSeq < seq) this.#forget(name, session);
  }

  #forgetIdlest(): void {
    let idlest: string | null = null;
    let lastSeq = Number.POSITIVE_INFINITY;
    for (const [name, session] of this.#sessions) {
      if (session.lastSeq >= lastSeq) continue;
      idlest = name;
      lastSeq = session.lastSeq;
    }
    const session = idlest === null ? undefined : this.#sessions.get(idlest);
    if (idlest !== null && session !== undefined) this.#forget(idlest, session);
  }

  #forget(name: string, session: Session): void {
    this.#requests -= session.recent.size + session.older.size;
    this.#sessions.delete(name);
  }
}
