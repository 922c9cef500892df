import { indexRules, type RuleIndex } from "../engine/rule-index.ts";
import { readTrustedKeys } from "../keys/read-trusted-keys.ts";
import { bundleRuleSet } from "../rulesets/bundle.ts";
import { compileRuleSet } from "../rulesets/compile.ts";
import { loadRuleSets } from "../rulesets/load.ts";
import { readRuleSetFiles } from "../rulesets/signed-file.ts";

/** Rules to try: a source that is not signed yet, or signed files with the keys they must be signed by. */
export type CandidateRules =
  | { readonly entry: string }
  | { readonly files: readonly string[]; readonly trust: readonly string[] };

/** Trying is not serving: an unsigned source may be tried, and an older version too. */
export const candidateRules = async (from: CandidateRules, now_ms: number): Promise<RuleIndex> => {
  if ("entry" in from) {
    const { code, builtins } = await bundleRuleSet(from.entry);
    const set = compileRuleSet(from.entry, code, builtins);
    const loaded = { digest: "unsigned", version: set.version, sets: [{ ...set, digest: "unsigned", keyId: "none" }] };
    return indexRules(loaded, 0);
  }
  const [files, keys] = await Promise.all([readRuleSetFiles(from.files), Promise.all(from.trust.map(readTrustedKeys))]);
  const loaded = await loadRuleSets({
    files,
    trusted: keys.flat(),
    served: new Map(),
    now_ms,
    examples: "held_before",
  });
  return indexRules(loaded, 0);
};
