import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateKeyPair, type PrivateKey } from "../daemon/keys/private-key.ts";
import { writeKeyPair } from "../daemon/keys/write-key-pair.ts";
import { signRuleSet } from "../daemon/rulesets/sign.ts";
import { ruleSetSource } from "./rule-set.ts";
import { scopeFlags } from "./scope-document.ts";

export interface DaemonChoices {
  /** How many rules are loaded; 10 of them match. */
  readonly rules: number;
  /** `process`: receipts survive a crash of the daemon; `power`: of the machine. */
  readonly durability: "process" | "power";
  /** Whether the benchmark's call has a contract beside the rules. Default `rules`: it has none. */
  readonly covers?: "rules" | "contract";
  /** How many scopes a scope document has, one of them the benchmark's principal's. Default: there is no document. */
  readonly scopes?: number;
  /** Lines of a configuration file: what no flag sets. */
  readonly settings?: string;
  /** Further flags, such as the store's. */
  readonly flags?: readonly string[];
}

const daemonScript = fileURLToPath(new URL("../dist/bin/interlock-sidecar.js", import.meta.url));

const signedRules = async (folder: string, source: string, key: PrivateKey): Promise<string> => {
  const entry = join(folder, "rules.ts");
  const out = join(folder, "rules.ruleset.json");
  await writeFile(entry, source);
  await signRuleSet({ entry, key, out, now_ms: Date.now(), not_after_ms: null });
  return out;
};

/**
 * Makes a key, signs a rule set with it, makes a state directory, all in a new folder inside `folder`. Returns what to
 * start `node` with for a daemon that serves `socketPath` by them.
 */
export const daemonArguments = async (
  folder: string,
  socketPath: string,
  { rules, durability, covers = "rules", scopes, settings = "", flags = [] }: DaemonChoices,
): Promise<readonly string[]> => {
  const own = await mkdtemp(join(folder, "daemon-"));
  const key = generateKeyPair();
  const { publicPath: trust } = await writeKeyPair(join(own, "key.pem"), key);
  const ruleSet = await signedRules(own, ruleSetSource(rules, covers), key);
  const state = join(own, "state");
  await mkdir(state, { mode: 0o700 });
  const config = join(own, "interlock.yaml");
  if (settings !== "") await writeFile(config, settings);
  return [
    daemonScript,
    // A start without a file does not wait for the parser of one.
    ...(settings === "" ? [] : ["--config", config]),
    ...["--socket", socketPath],
    ...["--state", state],
    ...["--rules", ruleSet],
    ...["--trust", trust],
    ...["--unknown", "allow"],
    ...["--durability", durability],
    ...(scopes === undefined ? [] : await scopeFlags(own, scopes)),
    ...flags,
  ];
};
