import type { CompiledContents } from "../contracts/compile-contents.ts";
import type { Trust } from "../keys/trust.ts";
import { compileRuleSet } from "./compile.ts";
import { combined, contentsOf, refuseTwice } from "./contents.ts";
import { refuseFailed, runAllExamples, warmUp } from "./examples.ts";
import type { HeldExamples } from "./held-examples.ts";
import type { LoadedRuleSet, LoadedRules } from "./loaded.ts";
import { RuleSetRefused } from "./refusal.ts";
import { refuseRollback, type ServedVersions } from "./rollback.ts";
import { selfId } from "./self/self-id.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { digestOfSets, type VerifiedRuleSet, verifyRuleSet } from "./verify.ts";

export interface LoadRequest {
  /** In the configured order, which is the order in which rules judge. */
  readonly files: readonly RuleSetFile[];
  readonly trust: Trust;
  readonly served: ServedVersions;
  readonly now_ms: number;
  /**
   * `held_before` only for bytes whose examples this daemon has run: an engine that restarts. A memory answers for each set, by what
   * was signed, and what it does not know is run.
   */
  readonly examples: "run" | "held_before" | HeldExamples;
}

/**
 * Files become rules that can judge: every signature first, then rollback, and only then does any module run. Throws
 * `RuleSetRefused`; it never returns a part of what was asked.
 */
export const loadRuleSets = async (request: LoadRequest): Promise<LoadedRules> => {
  const { files, trust, served, now_ms } = request;
  if (files.length === 0)
    throw new RuleSetRefused("empty", "no rule set is configured; an empty daemon would judge nothing");
  const verified = files.map((file) => verifyRuleSet(file, trust, now_ms));
  for (const set of verified) await refuseRollback(set, served);
  const setIds = verified.map(({ manifest }) => manifest.id);
  refuseTwice(setIds, "rule set", uniqueIds);
  refuseReserved(setIds, "rule set");
  const loaded: Loaded[] = [];
  for (const set of verified) loaded.push(await load(set, request));
  const sets = loaded.map(({ set }) => set);
  const contents = loaded.map((one) => one.contents);
  const ruleIds = sets.flatMap(({ rules }) => rules.map(({ id }) => id));
  const policyIds = contents.flatMap(({ policies }) => policies.map(({ id }) => id));
  refuseTwice([...ruleIds, ...policyIds], "rule or policy", uniqueIds);
  refuseReserved([...ruleIds, ...policyIds], "rule or policy");
  return Object.freeze({
    digest: digestOfSets(sets),
    version: sets.reduce((sum, { version }) => sum + version, 0),
    sets: Object.freeze(sets),
    ...(await combined(contents)),
  });
};

const uniqueIds = "ids are unique in a daemon";

interface Loaded {
  readonly set: LoadedRuleSet;
  readonly contents: CompiledContents;
}

const load = async (verified: VerifiedRuleSet, { now_ms, examples }: LoadRequest): Promise<Loaded> => {
  const { path, manifest, digest, keyIds, bundle } = verified;
  const set = compileRuleSet(manifest.id, bundle, manifest.builtins);
  if (set.id !== manifest.id || set.version !== manifest.version)
    throw new RuleSetRefused("bad_module", `rule set ${path} is not the id and version that its manifest names`);
  const contents = await contentsOf(set);
  if (!haveHeld(examples, digest)) {
    refuseFailed(await runAllExamples(set, contents, now_ms), `rule set ${path}`);
  } else {
    await warmUp(set, now_ms);
  }
  const origin = Object.freeze({ path, sources: Object.freeze(manifest.sources.map((source) => source.path)) });
  const { tools, policies } = contents;
  return { set: Object.freeze({ ...set, tools, policies, digest, keyIds, origin }), contents };
};

const haveHeld = (examples: LoadRequest["examples"], digest: string): boolean =>
  examples === "held_before" || (examples !== "run" && examples.has(digest));

/** What the daemon's own rules say in a receipt, no other rule says. */
const refuseReserved = (ids: readonly string[], what: string): void => {
  const reserved = ids.find((id) => id === selfId || id.startsWith(`${selfId}.`));
  if (reserved !== undefined)
    throw new RuleSetRefused("duplicate", `${what} ${reserved}: the name is that of the daemon's own rules; rename it`);
};
