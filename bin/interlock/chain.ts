import { readFileSync } from "node:fs";
import { Command } from "commander";
import { readGivenFile } from "../../daemon/ledger/read-given-file.ts";
import { sayAwaited } from "./awaited.ts";
import { print } from "./print.ts";

const maxPlanBytes = 8 * 1024 * 1024;

const bytesOf = async (file: string): Promise<Buffer> => {
  if (file !== "-") return readGivenFile(file, "the plan", maxPlanBytes);
  sayAwaited("the plan");
  return readFileSync(0);
};

export const chainCommand = (): Command => {
  const chain = new Command("chain").description("what several calls do together");
  chain
    .command("analyze")
    .description("a planned chain of calls, offline; 1 where something is found")
    .argument("<file>", "JSON: {steps: [{tool_name, arguments, ...}]}; - is standard input")
    .option("--json", "one JSON object")
    .action(async (file: string, { json }) => {
      const bytes = await bytesOf(file);
      const { chainAnalyze } = await import("../../daemon/surfaces/commands/chain.ts");
      const result = chainAnalyze(bytes);
      if (json) print(result, true);
      else process.stdout.write(`${result.lines.join("\n")}\n`);
      process.exitCode = result.exitCode;
    });
  return chain;
};
