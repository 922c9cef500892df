#!/usr/bin/env node
import { Command } from "commander";
import { ExitCode } from "../daemon/exit-codes.ts";
import { daemonVersion } from "../daemon/version.ts";
import { completionCommand } from "./interlock/completion.ts";
import { failed } from "./interlock/print.ts";

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
/** Of each command, in the order of the help, the part of the program that has it. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["init", async () => (await import("./interlock/operate.ts")).initCommand()],
  ["keygen", async () => (await import("./interlock/operate.ts")).keygenCommand()],
  ["keys", async () => (await import("./interlock/keys.ts")).keysCommand()],
  ["rules", async () => (await import("./interlock/rules.ts")).rulesCommand()],
  ["policy", async () => (await import("./interlock/policy.ts")).policyCommand()],
  ["fallback", async () => (await import("./interlock/fallback.ts")).fallbackCommand()],
  ["mcp", async () => (await import("./interlock/mcp.ts")).mcpCommand(umask)],
  ["gateway", async () => (await import("./interlock/gateway.ts")).gatewayCommand()],
  ["probe", async () => (await import("./interlock/probe.ts")).probeCommands()],
  ["simulate", async () => (await import("./interlock/try.ts")).simulateCommand()],
  ["analyze", async () => (await import("./interlock/try.ts")).analyzeCommand()],
  ["scan", async () => (await import("./interlock/scan.ts")).scanCommand()],
  ["chain", async () => (await import("./interlock/chain.ts")).chainCommand()],
  ["scope", async () => (await import("./interlock/scope.ts")).scopeCommand()],
  ["receipts", async () => (await import("./interlock/receipts.ts")).receiptsCommand()],
  ["store", async () => (await import("./interlock/store.ts")).storeCommand()],
  ["approvals", async () => (await import("./interlock/approvals.ts")).approvalsCommand()],
  ["transactions", async () => (await import("./interlock/transactions.ts")).transactionsCommand()],
  ["servers", async () => (await import("./interlock/servers.ts")).serversCommand()],
  ["drift", async () => (await import("./interlock/drift.ts")).driftCommand()],
  ["ci-gate", async () => (await import("./interlock/ci-gate.ts")).ciGateCommand(umask)],
  ["operators", async () => (await import("./interlock/operators.ts")).operatorsCommand()],
  ["token", async () => (await import("./interlock/token.ts")).tokenCommand()],
  ["stop", async () => (await import("./interlock/stops.ts")).stopCommand()],
  ["resume", async () => (await import("./interlock/stops.ts")).resumeCommand()],
  ["stops", async () => (await import("./interlock/stops.ts")).stopsCommand()],
  ["conformance", async () => (await import("./interlock/conformance.ts")).conformanceCommand()],
  ["doctor", async () => (await import("./interlock/operate.ts")).doctorCommand()],
  ["status", async () => (await import("./interlock/operate.ts")).statusCommand()],
]);
// Whoever names a command waits for that one's code; help, completion and misspellings need to know all.
const named = commands.get(process.argv[2] ?? "");
for (const load of named === undefined ? commands.values() : [named]) program.addCommand(await load());
program.addCommand(completionCommand(program));

const exitHere = (command: Command): void => {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? ExitCode.done : ExitCode.refused));
  for (const sub of command.commands) exitHere(sub);
};
exitHere(program);

await program.parseAsync().catch(failed);
