import { noContracts, noPolicies } from "../contracts/none.ts";
import type { PublicKey } from "../keys/public-key.ts";
import { compileRuleSet } from "./compile.ts";
import { describeFailure, runExamples, warmUp } from "./examples.ts";
import type { LoadedRuleSet, LoadedRules } from "./loaded.ts";
import { RuleSetRefused } from "./refusal.ts";
import { refuseRollback, type ServedVersions } from "./rollback.ts";
import { selfId } from "./self/self-id.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { digestOfSets, type VerifiedRuleSet, verifyRuleSet } from "./verify.ts";

export interface LoadRequest {
  /** In the configured order, which is the order in which rules judge. */
  readonly files: readonly RuleSetFile[];
  readonly trusted: readonly PublicKey[];
  readonly served: ServedVersions;
  readonly now_ms: number;
  /** `held_before` only for bytes whose examples this daemon has run: an engine that restarts. */
  readonly examples: "run" | "held_before";
}

/**
 * Files become rules that can judge: every signature first, then rollback, and only then does any module run. Throws
 * `RuleSetRefused`; it never returns a part of what was asked.
 */
export const loadRuleSets = async (request: LoadRequest): Promise<LoadedRules> => {
  const { files, trusted, served, now_ms } = request;
  if (files.length === 0)
    throw new RuleSetRefused("empty", "no rule set is configured; an empty daemon would judge nothing");
  const verified = files.map((file) => verifyRuleSet(file, trusted, now_ms));
  for (const set of verified) refuseRollback(set, served);
  const setIds = verified.map(({ manifest }) => manifest.id);
  refuseTwice(setIds, "rule set");
  refuseReserved(setIds, "rule set");
  const sets: LoadedRuleSet[] = [];
  for (const set of verified) sets.push(await load(set, request));
  const ruleIds = sets.flatMap(({ rules }) => rules.map(({ id }) => id));
  refuseTwice(ruleIds, "rule");
  refuseReserved(ruleIds, "rule");
  return Object.freeze({
    digest: digestOfSets(sets),
    version: sets.reduce((sum, { version }) => sum + version, 0),
    sets: Object.freeze(sets),
    contracts: noContracts,
    policies: noPolicies,
  });
};

const load = async (verified: VerifiedRuleSet, { now_ms, examples }: LoadRequest): Promise<LoadedRuleSet> => {
  const { path, manifest, digest, keyId, bundle } = verified;
  const set = compileRuleSet(manifest.id, bundle, manifest.builtins);
  if (set.id !== manifest.id || set.version !== manifest.version)
    throw new RuleSetRefused("bad_module", `rule set ${path} is not the id and version that its manifest names`);
  if (examples === "run") {
    const failed = (await runExamples(set, now_ms)).filter(({ failure }) => failure !== null).map(describeFailure);
    if (failed.length > 0)
      throw new RuleSetRefused(
        "examples_failed",
        `rule set ${path}: ${failed.length} of its examples failed: ${failed[0]}`,
        failed,
      );
  } else {
    await warmUp(set, now_ms);
  }
  const origin = Object.freeze({ path, sources: Object.freeze(manifest.sources.map((source) => source.path)) });
  return Object.freeze({ ...set, tools: Object.freeze([]), digest, keyId, origin });
};

/** What the daemon's own rules say in a receipt, no other rule says. */
const refuseReserved = (ids: readonly string[], what: string): void => {
  const reserved = ids.find((id) => id === selfId || id.startsWith(`${selfId}.`));
  if (reserved !== undefined)
    throw new RuleSetRefused("duplicate", `${what} ${reserved}: the name is that of the daemon's own rules; rename it`);
};

const refuseTwice = (ids: readonly string[], what: string): void => {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id))
      throw new RuleSetRefused("duplicate", `${what} ${id} is loaded twice; ids are unique in a daemon`);
    seen.add(id);
  }
};
