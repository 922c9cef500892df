import type { Terms } from "./greeting.ts";

export interface EngineStats {
  /** Decisions the daemon gave. */
  readonly answered: number;
  /** Calls blocked for want of a verdict. */
  readonly unanswered: number;
  /** Calls refused here, before anything was sent. */
  readonly local: number;
  /** Calls decided without the daemon: let through by `unreachable: "allow"`, or allowed or blocked by the fallback policy. */
  readonly fallbacks: number;
  /** Those that this engine has told the daemon, its own and what others left behind. */
  readonly fallbacksTold: number;
  /** Questions that ran out of time. */
  readonly timeouts: number;
  /** Questions asked a second time. */
  readonly resent: number;
  /** Repeats that were answered with what the first call delivered, or with the word that it ran. */
  readonly replayed: number;
  /** Ends of calls, other than results, that the daemon recorded. */
  readonly reported: number;
  /** Those that it did not, or that did not reach it. */
  readonly unreported: number;
  /** Connections begun. */
  readonly connections: number;
  /** Questions without an answer yet, those that wait for a place on the connection included. */
  readonly pending: number;
  readonly waiting: number;
  /** `none` while there is no connection. */
  readonly protocol: "none" | "v1" | "hello";
  /** What the daemon calls itself; null without a hello. */
  readonly daemon: string | null;
}

export class Tally {
  answered = 0;
  unanswered = 0;
  local = 0;
  fallbacks = 0;
  fallbacksTold = 0;
  timeouts = 0;
  resent = 0;
  replayed = 0;
  reported = 0;
  unreported = 0;
  connections = 0;

  report(pending: number, waiting: number, terms: Terms | null): EngineStats {
    const { answered, unanswered, local, fallbacks, fallbacksTold, timeouts, resent, connections } = this;
    const { replayed, reported, unreported } = this;
    const protocol = terms === null ? "none" : terms.isV1 ? "v1" : "hello";
    const daemon = terms?.daemon ?? null;
    return Object.freeze({
      ...{ answered, unanswered, local, fallbacks, fallbacksTold, timeouts, resent, connections },
      ...{ replayed, reported, unreported },
      ...{ pending, waiting, protocol, daemon },
    });
  }
}
