import { RuleSetRefused } from "./refusal.ts";
import type { VerifiedRuleSet } from "./verify.ts";

export interface ServedVersion {
  readonly version: number;
  readonly digest: string;
}

/** What was served last, by rule-set id. */
export type ServedVersions = Pick<ReadonlyMap<string, ServedVersion>, "get">;

/** Implemented by the store. An id never leaves it: a set that was taken out of the configuration can come back, but not older. */
export interface ServedVersionStore {
  servedVersions(): ServedVersions;
  /** Durable before it returns; called when the sets are put in force. */
  recordServed(sets: readonly { readonly id: string; readonly version: number; readonly digest: string }[]): void;
}

/** An old, more permissive set has a valid signature too. Throws `RuleSetRefused` (`rolled_back`). */
export const refuseRollback = ({ path, manifest, digest }: VerifiedRuleSet, served: ServedVersions): void => {
  const last = served.get(manifest.id);
  if (last === undefined || manifest.version > last.version) return;
  if (manifest.version < last.version)
    throw new RuleSetRefused(
      "rolled_back",
      `rule set ${path} is version ${manifest.version} of ${manifest.id}; version ${last.version} was served; sign a newer one`,
    );
  if (digest !== last.digest)
    throw new RuleSetRefused(
      "rolled_back",
      `rule set ${path} is version ${manifest.version} of ${manifest.id} with other contents than were served; raise its version`,
    );
};
