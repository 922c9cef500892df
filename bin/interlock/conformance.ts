import { Command } from "commander";
import { conformanceRun } from "../../conformance/run-command.ts";
import { print } from "./print.ts";

export const conformanceCommand = (): Command => {
  const conformance = new Command("conformance").description(
    "replay the corpus that every client and daemon must pass",
  );
  conformance
    .command("run")
    .description("replay the corpus against a daemon that is started for it")
    .option("--socket <path>", "against a daemon that runs already, with the corpus's rules")
    .option("--json", "one JSON object")
    .action(async ({ socket, json }) => print(await conformanceRun(socket === undefined ? {} : { socket }), json));
  return conformance;
};
