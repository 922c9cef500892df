import { Command } from "commander";
import { check } from "../../daemon/contracts/commands/check.ts";
import { diff } from "../../daemon/contracts/commands/diff.ts";
import { explain } from "../../daemon/contracts/commands/explain.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { print } from "./print.ts";
import { trustOf } from "./trust.ts";

const fileHelp = "YAML file, rule module, or signed rule set (.json)";

/** A signed rule set is verified first; anything else is tried as it is. */
const candidate = async (path: string, trust: string | undefined) => ({
  path,
  now_ms: Date.now(),
  ...(path.endsWith(".json") ? { trust: await trustOf(trust, undefined) } : {}),
});

export const policyCommand = (): Command => {
  const policy = new Command("policy").description(
    "check, explain and compare tools and policies before they are signed",
  );
  policy
    .command("check")
    .description("does a file hold together, and do its examples hold")
    .argument("<file>", fileHelp)
    .option("--trust <file>", "public keys to believe, for a signed rule set (default: the configured ones)")
    .option("--json", "one JSON object")
    .action(async (path: string, { trust, json }) => print(await check(await candidate(path, trust)), json));
  policy
    .command("explain")
    .description("what each tool and policy says of one call, and why; facts are looked up")
    .argument("[file]", fileHelp)
    .option("--rules <file>", "signed rule set, in place of a file")
    .requiredOption("--call <json>", 'such as \'{"action":"refund","args":{"amount":5},"principal":"clerk"}\'')
    .option("--trust <file>", "public keys to believe, for a signed rule set (default: the configured ones)")
    .option("--json", "one JSON object")
    .action(async (file: string | undefined, { rules, call, trust, json }) => {
      const path: string | undefined = file ?? rules;
      if (path === undefined) throw new Refusal(ExitCode.refused, "name a file, or a signed rule set with --rules");
      print(await explain({ ...(await candidate(path, trust)), call }), json);
    });
  policy
    .command("diff")
    .description("what a candidate adds, takes away, loosens and tightens; answers no where it loosens")
    .argument("<old>", fileHelp)
    .argument("<new>", fileHelp)
    .option("--trust <file>", "public keys to believe, for signed rule sets (default: the configured ones)")
    .option("--json", "one JSON object")
    .action(async (before: string, after: string, { trust, json }) =>
      print(await diff({ before: await candidate(before, trust), after: await candidate(after, trust) }), json),
    );
  return policy;
};
