import { basename } from "node:path";
import { checkRuleSet } from "../../rules/check.ts";
import type { RuleSet } from "../../rules/types.ts";
import { readTrust, type TrustPlaces } from "../keys/trust-files.ts";
import { bundleRuleSet } from "./bundle.ts";
import { compileRuleSet, definitionError } from "./compile.ts";
import { RuleSetRefused } from "./refusal.ts";
import { readRuleSetFiles } from "./signed-file.ts";
import { verifyRuleSet } from "./verify.ts";

export interface CandidateFile {
  /** An entry of TypeScript or JavaScript, a YAML file, or a signed file together with `trust`. */
  readonly path: string;
  readonly trust?: TrustPlaces;
  readonly now_ms: number;
}

/** What a file would be as a rule set. Nothing is signed, served or written. Throws `SigningRefused`, `RuleSetRefused`, `KeyRefused`. */
export const candidateSet = async ({ path, trust, now_ms }: CandidateFile): Promise<RuleSet> => {
  if (trust !== undefined) {
    const [file] = await readRuleSetFiles([path]);
    const { manifest, bundle } = verifyRuleSet(file!, await readTrust(trust), now_ms);
    return compileRuleSet(manifest.id, bundle, manifest.builtins);
  }
  if (/\.ya?ml$/.test(path)) return setOfData(path);
  const { code, builtins } = await bundleRuleSet(path);
  return compileRuleSet(path, code, builtins);
};

/** A file that others import has no id of its own: it gets its name. */
const setOfData = async (path: string): Promise<RuleSet> => {
  const { readDataFile } = await import("./yaml/read-data-file.ts");
  const { definitionsIn } = await import("./yaml/definitions.ts");
  const data = await readDataFile(path, path, "either");
  const id = basename(path)
    .replace(/\.ya?ml$/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-");
  try {
    return checkRuleSet({ id, version: 1, ...definitionsIn(data) });
  } catch (error) {
    const refused = definitionError(error);
    if (refused === null) throw error;
    throw new RuleSetRefused(refused.code === "empty" ? "empty" : "bad_contents", `${path}: ${refused.message}`);
  }
};
