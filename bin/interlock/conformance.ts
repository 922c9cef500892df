import { Command, InvalidArgumentError } from "commander";
import { conformanceClient } from "../../conformance/client-command.ts";
import { NodeTaskClient } from "../../conformance/line/node-task-client.ts";
import { serveTasks } from "../../conformance/line/serve-tasks.ts";
import { conformanceMisbehave } from "../../conformance/misbehave-command.ts";
import { conformanceRun } from "../../conformance/run-command.ts";
import { conformanceServe } from "../../conformance/serve-command.ts";
import { print } from "./print.ts";

export const conformanceCommand = (): Command => {
  const conformance = new Command("conformance").description(
    "replay the corpus that every client and daemon must pass",
  );
  conformance
    .command("run")
    .description("replay the corpus against a daemon that is started for it")
    .option("--socket <path>", "against a daemon that runs already, with the corpus's rules")
    .option("--client <command>", "a client that speaks the line protocol, in place of the Node client")
    .option("--without-degraded", "the client does not offer degraded: leave fallback.json out")
    .option("--json", "one JSON object")
    .action(async ({ socket, client, withoutDegraded, json }) => {
      const offered = withoutDegraded ? ({ fallback: "left_out" } as const) : {};
      print(await conformanceRun({ client, ...offered, ...(socket === undefined ? {} : { socket }) }), json);
    });
  conformance
    .command("client")
    .description("drive a client through a daemon that misbehaves in every known way")
    .option("--client <command>", "a client that speaks the line protocol, in place of the Node client")
    .option("--json", "one JSON object")
    .action(async ({ client, json }) => print(await conformanceClient({ client }), json));
  conformance
    .command("adapter")
    .description(
      "the Node client behind the line protocol: a task a line on standard input, an answer a line on standard output",
    )
    .action(() => serveTasks(new NodeTaskClient(), process.stdin, process.stdout));
  conformance
    .command("serve")
    .description("serve the corpus's rules until interrupted, for a replayer in another language; prints the socket")
    .option("--effects", "the rules for files, commands and requests instead")
    .action(async ({ effects }) =>
      print(await conformanceServe(effects ? "effects" : "corpus", interrupted(), say), undefined),
    );
  conformance
    .command("misbehave")
    .argument("[name]", "one of conformance/misbehaviours.json")
    .description("be a daemon that answers badly, until interrupted, for a client in another language")
    .option("--socket <path>", "where to listen, with a name")
    .option("--all <directory>", "every misbehaviour at once, each on <directory>/NAME.sock")
    .option("--timeout-ms <n>", "how long the client under test waits for a verdict", positive)
    .action(async (name: string | undefined, { socket, all, timeoutMs: timeout_ms }, command: Command) => {
      if (all !== undefined && name === undefined) {
        return print(await conformanceMisbehave({ directory: all, timeout_ms }, interrupted(), say), undefined);
      }
      if (name === undefined || socket === undefined) return command.error("give NAME and --socket, or --all");
      return print(await conformanceMisbehave({ name, socket, timeout_ms }, interrupted(), say), undefined);
    });
  return conformance;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Aborted by SIGINT or SIGTERM. */
const interrupted = (): AbortSignal => {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
};

const positive = (text: string): number => {
  const number = Number(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("a number of milliseconds above 0");
};
