import { maxKeptAnswersPerSession } from "../../wire/limits.ts";

/** Sessions remembered at once; the one that was idle longest is forgotten first. */
export const maxSessions = 512;
/** Requests remembered over all sessions: what bounds the memory. */
export const maxIndexedRequests = 131_072;
/** Longer than any string that the engine copies: a longer id may be a slice that keeps a whole frame alive. */
const maxCopiedLength = 12;

/** A call as its client named it. */
export interface NamedCall {
  readonly call_id: string;
  readonly action: string;
}

/** The newest requests of a session, in a ring of columns. */
interface Session {
  readonly requests: string[];
  readonly seqs: number[];
  /** What each was about: the id and the action of a call that has an id; null for anything else. */
  readonly calls: (NamedCall | null)[];
  /** Where the next one goes: over the oldest, once the ring is full. */
  next: number;
  lastSeq: number;
}

/**
 * Which receipt answered a session's request, and which decided its call. A hint only: what is answered again is compared with
 * the receipt itself.
 *
 * Every decision is noted and almost none is asked for again, so noting is a few array stores, and finding walks a ring
 * of at most `maxKeptAnswersPerSession`. (A Map of the same size costs half a microsecond more with every decision.)
 */
export class ResendIndex {
  readonly #sessions = new Map<string, Session>();
  #requests = 0;

  /** The receipt of the newest stop that was read back: what was let run before it is judged anew. 0: none. */
  readonly stopped_seq: number;

  constructor(stopped_seq = 0) {
    this.stopped_seq = stopped_seq;
  }

  get size(): number {
    return this.#requests;
  }

  note(session: string, request: string, seq: number, call: NamedCall | null): void {
    const ring = this.#sessions.get(session) ?? this.#begin(session);
    ring.lastSeq = seq;
    if (ring.next === ring.requests.length) this.#requests += 1;
    ring.requests[ring.next] = request.length > maxCopiedLength ? Buffer.from(request).toString() : request;
    ring.seqs[ring.next] = seq;
    ring.calls[ring.next] = call;
    ring.next = ring.next + 1 === maxKeptAnswersPerSession ? 0 : ring.next + 1;
    if (this.#requests > maxIndexedRequests) this.#forgetIdlest();
  }

  /** Has this session a decision that it could ask for again? */
  knows(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** The newest receipt of this request; null where none is remembered. */
  find(session: string, request: string): number | null {
    const ring = this.#sessions.get(session);
    if (ring === undefined) return null;
    const { length } = ring.requests;
    for (let back = 1; back <= length; back++) {
      const at = (ring.next - back + length) % length;
      if (ring.requests[at] === request) return ring.seqs[at] ?? null;
    }
    return null;
  }

  /** The newest receipt that decided this call of this session; null where none is remembered. */
  findCall(session: string, { call_id, action }: NamedCall): number | null {
    const ring = this.#sessions.get(session);
    if (ring === undefined) return null;
    const { length } = ring.requests;
    for (let back = 1; back <= length; back++) {
      const at = (ring.next - back + length) % length;
      const call = ring.calls[at];
      if (call?.call_id === call_id && call.action === action) return ring.seqs[at] ?? null;
    }
    return null;
  }

  #begin(session: string): Session {
    if (this.#sessions.size === maxSessions) this.#forgetIdlest();
    const ring: Session = { requests: [], seqs: [], calls: [], next: 0, lastSeq: 0 };
    this.#sessions.set(session, ring);
    return ring;
  }

  #forgetIdlest(): void {
    let idlest: string | null = null;
    let lastSeq = Number.POSITIVE_INFINITY;
    for (const [name, ring] of this.#sessions) {
      if (ring.lastSeq >= lastSeq) continue;
      idlest = name;
      lastSeq = ring.lastSeq;
    }
    if (idlest === null) return;
    this.#requests -= this.#sessions.get(idlest)?.requests.length ?? 0;
    this.#sessions.delete(idlest);
  }
}
