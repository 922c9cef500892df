import { WireError } from "./errors.ts";
import { maxFeatureNameBytes, maxFeatureNames } from "./limits.ts";

/**
 * What two peers may agree on in the hello, in the order in which a list is sent. Nothing of it is used towards a peer
 * that did not ask for it.
 *
 * - `call_id`: events carry `call_id`; the frames `outcome` and `resume` exist.
 * - `details`: an answer has a ninth key, `details`.
 * - `escalate`: the client knows verdict 3. (It is sent in any case; a client that does not know it blocks.)
 * - `escape`: objects that look like the bytes envelope are escaped (codec.ts).
 * - `grade`: events carry `grade`: how the client intercepts.
 * - `offline`: the frame `offline` exists.
 * - `replace_args`: `modified_args` replaces the arguments instead of being merged over them.
 * - `replay`: a duplicate of an executed call is answered with the recorded result.
 * - `resend`: an unanswered request may be asked once more under the same nonce and id.
 * - `scope`: the hello pins a scope document; while the daemon serves another, or none, every question is blocked.
 * - `surface`: the frame `surface` exists; events carry `server` and `credential`.
 */
export const featureNames = Object.freeze([
  "call_id",
  "details",
  "escalate",
  "escape",
  "grade",
  "offline",
  "replace_args",
  "replay",
  "resend",
  "scope",
  "surface",
] as const);

export type FeatureName = (typeof featureNames)[number];

/** Which features hold on one connection. Frozen. */
export type FeatureSet = Readonly<Record<FeatureName, boolean>>;

/** The set of these names; a name that is not a feature's is ignored, as a later version may have more. */
export const featureSet = (names: readonly string[]): FeatureSet => {
  const set = {} as Record<FeatureName, boolean>;
  for (const name of featureNames) set[name] = names.includes(name);
  return Object.freeze(set);
};

/** A v1 peer: it said no hello. */
export const noFeatures: FeatureSet = featureSet([]);
export const allFeatures: FeatureSet = featureSet(featureNames);

/** What both know. */
export const commonFeatures = (ours: FeatureSet, theirs: FeatureSet): FeatureSet =>
  featureSet(featureNames.filter((name) => ours[name] && theirs[name]));

/** The names of a set, sorted, as they are sent. */
export const listFeatures = (set: FeatureSet): readonly FeatureName[] => featureNames.filter((name) => set[name]);

/** Reads a list off the wire: an array of at most 64 strings of at most 64 bytes. Unknown names are ignored. `bad_request` otherwise. */
export const parseFeatures = (json: unknown, where: string, id: string): FeatureSet => {
  if (!Array.isArray(json)) throw new WireError("bad_request", `${where} must be an array of strings`, id);
  if (json.length > maxFeatureNames) {
    throw new WireError("bad_request", `${where} must hold at most ${maxFeatureNames} names`, id);
  }
  for (const name of json as readonly unknown[]) {
    if (typeof name !== "string") throw new WireError("bad_request", `${where} must be an array of strings`, id);
    if (name.length > maxFeatureNameBytes) {
      throw new WireError("bad_request", `${where} holds a name of more than ${maxFeatureNameBytes} bytes`, id);
    }
  }
  return featureSet(json as string[]);
};

/**
 * Reads what a daemon agreed to. It agrees to no more than it was offered, so that here a name that is not a feature's is one that nobody
 * offered: `bad_request`, as for a list that is none.
 */
export const parseAgreed = (json: unknown, where: string, id: string): FeatureSet => {
  const features = parseFeatures(json, where, id);
  const known: readonly string[] = featureNames;
  if ((json as readonly string[]).some((name) => !known.includes(name)))
    throw new WireError("bad_request", `${where} holds a feature that was not offered`, id);
  return features;
};
