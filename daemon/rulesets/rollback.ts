import { RuleSetRefused } from "./refusal.ts";
import type { VerifiedRuleSet } from "./verify.ts";

export interface ServedVersion {
  readonly version: number;
  readonly digest: string;
}

/** What was served last, by rule-set id. A store of another process tells it later. */
export interface ServedVersions {
  get(id: string): ServedVersion | undefined | Promise<ServedVersion | undefined>;
}

/** An old, more permissive set has a valid signature too. Throws `RuleSetRefused` (`rolled_back`). */
export const refuseRollback = async (
  { path, manifest, digest }: VerifiedRuleSet,
  served: ServedVersions,
): Promise<void> => {
  const last = await served.get(manifest.id);
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
