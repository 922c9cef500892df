import type { RuleSet } from "../../../rules/types.ts";
import { ExitCode } from "../../exit-codes.ts";
import { readTrust } from "../../keys/read-trusted-keys.ts";
import { bundleRuleSet } from "../bundle.ts";
import { compileRuleSet } from "../compile.ts";
import { contentsOf } from "../contents.ts";
import { runAllExamples } from "../examples.ts";
import { readRuleSetFiles } from "../signed-file.ts";
import { verifyRuleSet } from "../verify.ts";
import { type CommandResult, orRefusal } from "./command-result.ts";

export interface TestCommand {
  /** An entry of TypeScript or JavaScript, or a signed file together with `trustPaths`. */
  readonly path: string;
  readonly trustPaths?: readonly string[];
  readonly now_ms: number;
}

/** `interlock rules test`: runs every example and prints each. */
export const test = (request: TestCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const set = await setOf(request);
    const outcomes = await runAllExamples(set, await contentsOf(set), request.now_ms);
    const failed = outcomes.filter(({ failure }) => failure !== null).length;
    const lines = outcomes.map(
      ({ rule, place, failure }) =>
        `${failure === null ? "ok  " : "FAIL"} ${rule} #${place}${failure === null ? "" : `: ${failure}`}`,
    );
    const sum = failed === 0 ? `${outcomes.length} examples hold` : `${failed} of ${outcomes.length} examples failed`;
    return {
      exitCode: failed === 0 ? ExitCode.done : ExitCode.no,
      lines: [...lines, sum],
      json: { ok: failed === 0, id: set.id, version: set.version, failed, examples: outcomes },
    };
  }, ExitCode.refused);

const setOf = async ({ path, trustPaths, now_ms }: TestCommand): Promise<RuleSet> => {
  if (trustPaths === undefined) {
    const { code, builtins } = await bundleRuleSet(path);
    return compileRuleSet(path, code, builtins);
  }
  const trusted = await readTrust(trustPaths);
  const [file] = await readRuleSetFiles([path]);
  const { manifest, bundle } = verifyRuleSet(file!, trusted, now_ms);
  return compileRuleSet(manifest.id, bundle, manifest.builtins);
};
