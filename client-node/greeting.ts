import { parseAnswer } from "../wire/answer.ts";
import { WireError } from "../wire/errors.ts";
import { type FeatureSet, featureSet, listFeatures, noFeatures } from "../wire/features.ts";
import { MAX_LINE } from "../wire/limits.ts";
import { helloFrame } from "../wire/request-frame.ts";
import { version } from "./version.ts";

const helloId = "h";

/** What this client can do with an answer. A feature that it does not act on is not offered. */
const actedOn = [
  "call_id",
  "details",
  "escalate",
  "escape",
  "grade",
  "replace_args",
  "replay",
  "resend",
  "surface",
] as const;

export interface Greeting {
  /** The session that a question is asked again under. The same on each connection of an engine. */
  readonly nonce: string;
  /** The pin of the scope document that the daemon has to serve; null where any will do. */
  readonly scope: string | null;
  readonly token: string | null;
  /** Does it decide by a fallback policy while the daemon is away, and tell it afterwards? */
  readonly tellsOffline: boolean;
}

/** Of a greeting what is the same on each connection. */
export type StandingGreeting = Omit<Greeting, "token">;

export const offeredFeatures = ({ scope, tellsOffline }: Pick<Greeting, "scope" | "tellsOffline">): FeatureSet =>
  featureSet([...actedOn, ...(tellsOffline ? ["offline"] : []), ...(scope === null ? [] : ["scope"])]);

/** What holds on a connection once its hello is answered. */
export interface Terms {
  readonly features: FeatureSet;
  /** The daemon knows no hello: one question at a time, no key that is not v1's. */
  readonly isV1: boolean;
  readonly daemon: string | null;
  /** The longest frame that the daemon reads, in bytes. */
  readonly maxFrameBytes: number;
}

const v1Terms: Terms = Object.freeze({ features: noFeatures, isV1: true, daemon: null, maxFrameBytes: MAX_LINE });

export const helloLine = (greeting: Greeting): string => {
  const { nonce, scope, token } = greeting;
  const client = `interlock-guard/${version} node/${process.versions.node}`;
  return helloFrame(helloId, { client, features: offeredFeatures(greeting), nonce, scope, token });
};

/**
 * Reads the answer to the hello. A `bad_request` is how a v1 daemon answers a frame that it does not know, and is the one error
 * that is read as "no hello here". A client that shows a token, or pins a scope document, has no use for a daemon that would not look at it.
 *
 * @throws WireError any other answer
 */
export const readTerms = (line: Uint8Array, greeting: Greeting): Terms => {
  const answer = parseAnswer(line, noFeatures);
  if (answer.kind === "error") {
    const isV1 = answer.error.code === "bad_request" && (answer.id === helloId || answer.id === "");
    if (!isV1) throw answer.error;
    if (greeting.token !== null) return unbound();
    return greeting.scope === null ? v1Terms : uncompared();
  }
  if (answer.kind !== "hello" || answer.id !== helloId) {
    throw new WireError("bad_request", "the first answer is not to the hello");
  }
  const { daemon, features, max_frame } = answer.hello;
  // A daemon that believes in a feature which this client does not would answer in a form that is read as another one.
  const offered = offeredFeatures(greeting);
  if (listFeatures(features).some((name) => !offered[name])) {
    throw new WireError("bad_request", "the daemon agreed to a feature that was not offered");
  }
  if (greeting.scope !== null && !features.scope) return uncompared();
  return Object.freeze({ features, isV1: false, daemon, maxFrameBytes: max_frame });
};

/** Without the token its calls would be those of whoever they name. */
const unbound = (): never => {
  throw new WireError("not_available", "a token is shown here, and this daemon binds nobody to one");
};

const uncompared = (): never => {
  throw new WireError("scope_mismatch", "a scope document is pinned here, and this daemon compares none");
};
