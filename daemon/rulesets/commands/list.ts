import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { readTrust } from "../../keys/trust-files.ts";
import { compileRuleSet } from "../compile.ts";
import { contentsOf } from "../contents.ts";
import { readRuleSetFiles } from "../signed-file.ts";
import { verifyRuleSet } from "../verify.ts";
import type { VerifyCommand } from "./verify.ts";

/** `interlock rules list FILE --trust KEYS`: what is in a signed set. It is verified first: listing runs its module. */
export const list = ({ path, trust, now_ms }: VerifyCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const [file] = await readRuleSetFiles([path]);
    const { manifest, bundle } = verifyRuleSet(file!, await readTrust(trust), now_ms);
    const set = compileRuleSet(manifest.id, bundle, manifest.builtins);
    const rules = set.rules.map(({ id, actions, phase, examples }) => ({
      id,
      actions,
      phase,
      examples: examples.length,
    }));
    const tools = set.tools.map(({ name, effect }) => ({ name, effect }));
    const { policies } = await contentsOf(set);
    return done(
      [
        `${set.id} version ${set.version}, ${rules.length} rule${rules.length === 1 ? "" : "s"}, deadline ${set.deadline_ms} ms`,
        ...rules.map(
          ({ id, actions, phase, examples }) =>
            `  ${id} (${phase}): ${actions.join(", ")}; ${examples} example${examples === 1 ? "" : "s"}`,
        ),
        ...tools.map(({ name, effect }) => `  tool ${name} (${effect})`),
        ...policies.map(({ id, tools: about, then }) => `  policy ${id}: ${about.join(", ")}; ${then ?? "limit"}`),
      ],
      { id: set.id, version: set.version, deadline_ms: set.deadline_ms, rules, tools, policies },
    );
  }, ExitCode.no);
