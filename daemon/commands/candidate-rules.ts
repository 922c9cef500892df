import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../config/settings.ts";
import { indexRules, type RuleIndex } from "../engine/rule-index.ts";
import { readTrust, type TrustPlaces } from "../keys/trust-files.ts";
import { candidateSet } from "../rulesets/candidate-set.ts";
import { combined, contentsOf } from "../rulesets/contents.ts";
import { loadRuleSets } from "../rulesets/load.ts";
import type { LoadedRules } from "../rulesets/loaded.ts";
import type { DaemonItself } from "../rulesets/self/places.ts";
import { withSelfProtection } from "../rulesets/self/with-self-protection.ts";
import { readRuleSetFiles } from "../rulesets/signed-file.ts";
import { readStatusFile } from "./read-status-file.ts";

/** Rules to try: a source that is not signed yet, or signed files with the keys they must be signed by. */
export type CandidateRules = (
  | { readonly entry: string }
  | { readonly files: readonly string[]; readonly trust: TrustPlaces }
) & {
  /** The daemon that would serve them: its own rules stand behind them. Without it they are tried alone. */
  readonly servedBy?: Settings;
};

const unsigned = Object.freeze({ digest: "unsigned", keyIds: [], origin: null });

/** Trying is not serving: an unsigned source may be tried, and an older version too. */
export const candidateRules = async (from: CandidateRules, now_ms: number): Promise<RuleIndex> => {
  const loaded = await load(from, now_ms);
  const { servedBy } = from;
  return indexRules(servedBy === undefined ? loaded : withSelfProtection(loaded, servedBy, daemonOf(servedBy)), 0);
};

const load = async (from: CandidateRules, now_ms: number): Promise<LoadedRules> => {
  if ("entry" in from) {
    const set = await candidateSet({ path: from.entry, now_ms });
    const contents = await contentsOf(set);
    return {
      digest: "unsigned",
      version: set.version,
      sets: [{ ...set, ...unsigned, tools: contents.tools, policies: contents.policies }],
      ...(await combined([contents])),
    };
  }
  const [files, trust] = await Promise.all([readRuleSetFiles(from.files), readTrust(from.trust)]);
  return loadRuleSets({ files, trust, served: new Map(), now_ms, examples: "held_before" });
};

/** The daemon that serves now; where none does, process 0 stands for it, which no rule lets anybody signal. */
const daemonOf = ({ state }: Settings): DaemonItself => ({
  pid: readStatusFile(state)?.pid ?? 0,
  group: null,
  commandLine: "interlock-sidecar",
  program: dirname(fileURLToPath(import.meta.url)),
});
