import { Command } from "commander";
import { print } from "./print.ts";

/** Loaded when asked for: the packs are much, and other commands need none of it. */
const commands = () => import("../../daemon/rulesets/commands/packs.ts");

export const packsCommand = (): Command => {
  const packs = new Command("packs").description("the standard packs: what each stops, what it cannot, its options");
  packs
    .command("list")
    .description("every pack, and what the tiers take of it")
    .option("--json", "one JSON object")
    .action(async ({ json }) => print((await commands()).listPacks(), json));
  packs
    .command("show")
    .description("what a pack stops, what it cannot, its options by tier, its rules")
    .argument("<pack>", "such as commands")
    .option("--json", "one JSON object")
    .action(async (pack: string, { json }) => print((await commands()).showPack(pack), json));
  packs
    .command("explain")
    .description("the rule that a reason or a receipt named")
    .argument("<rule>", "such as commands.destructive")
    .option("--json", "one JSON object")
    .action(async (rule: string, { json }) => print((await commands()).explainRule(rule), json));
  return packs;
};
