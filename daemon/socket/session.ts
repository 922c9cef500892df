import { createHash } from "node:crypto";
import { type FeatureSet, listFeatures, noFeatures } from "../../wire/features.ts";
import type { Connection } from "./connection.ts";

/** A question that was put and is not answered: being judged, or its receipt not yet durable. */
export interface PendingQuestion {
  readonly line: Uint8Array;
  /** Where the answer goes: the connection that asked last. */
  connection: Connection;
}

/**
 * What is known of who asks: the features agreed in the hello, and with `resend` the session that outlives the
 * connection. Connections that show the same nonce share one.
 */
export interface Session {
  /** Hex of the first 16 bytes of SHA-256 of the nonce; null without `resend`. */
  readonly key: string | null;
  readonly features: FeatureSet;
  readonly pending: Map<string, PendingQuestion>;
  /** The session as the watchdog's slot carries it. */
  readonly stamp: string;
}

/** What the supervisor reads back from the slot. */
export interface SessionStamp {
  readonly key: string | null;
  readonly features: readonly string[];
}

const makeSession = (key: string | null, features: FeatureSet): Session => {
  const stamp: SessionStamp = { key, features: listFeatures(features) };
  return Object.freeze({ key, features, pending: new Map(), stamp: JSON.stringify(stamp) });
};

/** A peer that said no hello: version 1, one question at a time, nothing kept. */
export const versionOneSession = (): Session => makeSession(null, noFeatures);

const maxSessions = 8192;

/** Sessions by nonce. The least recently joined goes first; a live connection keeps its own whatever happens here. */
export class Sessions {
  readonly #byKey = new Map<string, Session>();

  /** @param nonce null where the client named none, or did not agree on `resend`. */
  join(nonce: string | null, features: FeatureSet): Session {
    if (nonce === null || !features.resend) return makeSession(null, features);
    const key = createHash("sha256").update("interlock session v1\n").update(nonce).digest("hex").slice(0, 32);
    const known = this.#byKey.get(key);
    this.#byKey.delete(key);
    // The features are part of what an answer looks like: a nonce that comes with others is another conversation.
    const session =
      known !== undefined && listFeatures(known.features).join() === listFeatures(features).join()
        ? known
        : makeSession(key, features);
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
