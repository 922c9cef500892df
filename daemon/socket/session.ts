import { createHash } from "node:crypto";
import { type FeatureSet, listFeatures, noFeatures } from "../../wire/features.ts";
import { resendLease_ms } from "../../wire/limits.ts";
import type { Connection } from "./connection.ts";

/** A question that was put and is not answered: being judged, or its receipt not yet durable. */
export interface PendingQuestion {
  readonly line: Uint8Array;
  /** Where the answer goes: one entry for each time that it was asked. */
  readonly askers: Connection[];
}

/**
 * What is known of who asks: the features agreed in the hello, and with `resend` the session that outlives the
 * connection. Connections that show the same nonce share one.
 */
export interface Session {
  /** Hex of the first 16 bytes of SHA-256 of the nonce; null without `resend`. */
  readonly key: string | null;
  readonly features: FeatureSet;
  /** What the client said it is; null for one that said no hello. */
  readonly client: string | null;
  /** The pin of the scope document that it has to be judged by; null where any will do. */
  readonly scope: string | null;
  readonly pending: Map<string, PendingQuestion>;
  /**
   * Until when its requests may be ones that were asked before: only a nonce that comes back on another connection can
   * ask again, and only within the lease. Most sessions never do, and pay nothing for it.
   */
  asksAgainUntil_ms: number;
  /** Whom a token bound the connection to; null: nobody. */
  readonly identity: string | null;
  /** The session as the watchdog's slot carries it. */
  readonly stamp: string;
}

/** What the supervisor reads back from the slot. */
export interface SessionStamp {
  readonly key: string | null;
  readonly identity: string | null;
  readonly features: readonly string[];
  readonly client: string | null;
}

type Said = Omit<Joining, "nonce" | "client"> & Pick<Session, "client">;

const makeSession = (key: string | null, { features, scope, identity, client }: Said): Session => {
  const stamp: SessionStamp = { key, identity, features: listFeatures(features), client };
  const said = { features, scope, identity, client };
  return { key, ...said, pending: new Map(), stamp: JSON.stringify(stamp), asksAgainUntil_ms: 0 };
};

/** A peer that said no hello: version 1, one question at a time, nothing kept, bound to nobody. */
export const versionOneSession = (): Session =>
  makeSession(null, { features: noFeatures, scope: null, identity: null, client: null });

const maxSessions = 8192;

/** What a hello said and agreed on. */
export interface Joining {
  /** Null where the client named none. */
  readonly nonce: string | null;
  readonly features: FeatureSet;
  /** The pin of its scope document; null without one. */
  readonly scope: string | null;
  /** Whom its token binds it to; null without one. */
  readonly identity: string | null;
  /** What it says it is. */
  readonly client: string;
}

/** Sessions by nonce. The least recently joined goes first; a live connection keeps its own whatever happens here. */
export class Sessions {
  readonly #byKey = new Map<string, Session>();

  /**
   * @param isRemembered was this session answered before, by this engine or one that ended?
   */
  join(joining: Joining, now_ms: number, isRemembered: (key: string) => boolean): Session {
    const { nonce, features, scope, identity, client } = joining;
    if (nonce === null || !features.resend) return makeSession(null, joining);
    // The features are part of what an answer looks like: a nonce that comes with others is another conversation, so
    // that a rewrite kept for a client that replaces its arguments is never given to one that merges. And so is who is
    // bound, and by which scope document he means to be judged: what was answered to one is given to no other that has
    // learned his nonce. The client's name is in receipts.
    const key = createHash("sha256")
      .update(`interlock session v1\n${listFeatures(features).join()}\n${JSON.stringify([identity, scope, client])}\n`)
      .update(nonce)
      .digest("hex")
      .slice(0, 32);
    const known = this.#byKey.get(key);
    this.#byKey.delete(key);
    const session = known ?? makeSession(key, joining);
    if (known !== undefined || isRemembered(key)) session.asksAgainUntil_ms = now_ms + resendLease_ms;
    this.#byKey.set(key, session);
    if (this.#byKey.size > maxSessions) {
      for (const [oldest, { pending }] of this.#byKey) {
        if (pending.size > 0) continue;
        this.#byKey.delete(oldest);
        break;
      }
    }
    return session;
  }
}
