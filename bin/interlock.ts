#!/usr/bin/env node
import { Command } from "commander";
import { ExitCode } from "../daemon/exit-codes.ts";
import { daemonVersion } from "../daemon/version.ts";
import { approvalsCommand } from "./interlock/approvals.ts";
import { chainCommand } from "./interlock/chain.ts";
import { completionCommand } from "./interlock/completion.ts";
import { conformanceCommand } from "./interlock/conformance.ts";
import { fallbackCommand } from "./interlock/fallback.ts";
import { keysCommand } from "./interlock/keys.ts";
import { mcpCommand } from "./interlock/mcp.ts";
import { doctorCommand, initCommand, keygenCommand, statusCommand } from "./interlock/operate.ts";
import { operatorsCommand } from "./interlock/operators.ts";
import { policyCommand } from "./interlock/policy.ts";
import { failed } from "./interlock/print.ts";
import { receiptsCommand } from "./interlock/receipts.ts";
import { rulesCommand } from "./interlock/rules.ts";
import { scanCommand } from "./interlock/scan.ts";
import { scopeCommand } from "./interlock/scope.ts";
import { resumeCommand, stopCommand, stopsCommand } from "./interlock/stops.ts";
import { storeCommand } from "./interlock/store.ts";
import { tokenCommand } from "./interlock/token.ts";
import { transactionsCommand } from "./interlock/transactions.ts";
import { analyzeCommand, simulateCommand } from "./interlock/try.ts";

const umask = process.umask(0o077);
// A reader that had enough (`| head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? ExitCode.done);
  throw error;
});

const program = new Command("interlock")
  .description("Set up, try, watch and verify interlock, the layer that asks before a tool call runs.")
  .version(daemonVersion)
  .showHelpAfterError("(interlock <command> --help tells more)")
  .addHelpText(
    "after",
    `
Start here:
  interlock init              keys, configuration, signed starter rules
  interlock-sidecar           serve verdicts
  interlock doctor            prove that a call which must be denied is denied

Exit codes: 0 done, 1 the answer is no, 2 refused, 3 served by another daemon, 4 socket, 5 store.`,
  );
for (const command of [
  initCommand(),
  keygenCommand(),
  keysCommand(),
  rulesCommand(),
  policyCommand(),
  fallbackCommand(),
  mcpCommand(umask),
  simulateCommand(),
  analyzeCommand(),
  scanCommand(),
  chainCommand(),
  scopeCommand(),
  receiptsCommand(),
  storeCommand(),
  approvalsCommand(),
  transactionsCommand(),
  operatorsCommand(),
  tokenCommand(),
  stopCommand(),
  resumeCommand(),
  stopsCommand(),
  conformanceCommand(),
  doctorCommand(),
  statusCommand(),
]) {
  program.addCommand(command);
}
program.addCommand(completionCommand(program));

const exitHere = (command: Command): void => {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? ExitCode.done : ExitCode.refused));
  for (const sub of command.commands) exitHere(sub);
};
exitHere(program);

await program.parseAsync().catch(failed);
