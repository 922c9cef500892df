import { Command, InvalidArgumentError } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import type { WireObject } from "../../wire/value.ts";
import { print } from "./print.ts";
import { choice, type SeatedOptions, seat, seated } from "./seated.ts";
import { seconds } from "./seconds.ts";

interface ProbeOptions extends SeatedOptions {
  readonly server: string;
  readonly credential?: string;
  readonly url?: string;
  readonly tool: string;
  readonly args: WireObject;
  readonly expect: string;
  readonly safetyNote: string;
  readonly cleanup?: string;
  readonly cleanupArgs: WireObject;
  readonly timeout: number;
}

interface ReadbackOptions extends ProbeOptions {
  readonly read: string;
  readonly readArgs: WireObject;
  readonly volatile?: readonly string[];
}

const object = (text: string): WireObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as WireObject;
  } catch {
    // Told below, without the text.
  }
  throw new InvalidArgumentError("a JSON object");
};

const pointer = (text: string, before: readonly string[] = []): readonly string[] => {
  if (!text.startsWith("/")) throw new InvalidArgumentError("a JSON Pointer, such as /content/0/text/fetched_at");
  return [...before, text];
};

const ofServer = (command: Command): Command =>
  seated(command)
    .requiredOption("--server <name>", "the server, as it is named to interlock mcp")
    .option("--credential <name>", "whom the server is shown, as it is named to interlock mcp");

const probing = (command: Command, expected: readonly string[]): Command =>
  ofServer(command)
    .usage("[options] -- <command> [arguments]\n       interlock probe ... [options] --url <url>")
    .argument("[command...]", "starts the server; behind --")
    .option("--url <url>", "a remote server, in place of a command")
    .requiredOption("--tool <name>", "the tool that is called")
    .option("--args <json>", "its arguments", object, {})
    .addOption(choice("--expect <outcome>", "what has to come of it", expected).makeOptionMandatory())
    .requiredOption("--safety-note <text>", "why this harms nobody; it is kept")
    .option("--cleanup <tool>", "called last, to take back what the probe made")
    .option("--cleanup-args <json>", "its arguments", object, {})
    .option("--timeout <seconds>", "how long each call may take", seconds(0.001, 300), 30);

/** Loaded when asked for: help needs none of it. */
const run = async (
  server: readonly string[],
  options: ProbeOptions,
  kind: "permission" | "readback",
  back: Pick<ReadbackOptions, "read" | "readArgs" | "volatile"> | null,
): Promise<void> => {
  if ((server.length === 0) === (options.url === undefined)) {
    throw new Refusal(ExitCode.refused, "probe: name the server's command behind --, or its --url; one of the two");
  }
  const { GuardedServer } = await import("../../adapters/mcp/probe/guarded-server.ts");
  const { namedServer } = await import("../../client-node/surface/surface-keeper.ts");
  const { probeCommand } = await import("../../daemon/operator/commands/probes.ts");
  const { runPermission, runReadback } = await import("../../daemon/surfaces/probes/run-probe.ts");
  const { config, state } = options;
  const { socket } = await resolveSettings({ config, state }, process.env, process.cwd());
  const named = ["--socket", socket, "--server", options.server];
  if (options.credential !== undefined) named.push("--credential", options.credential);
  const behind = options.url === undefined ? ["--", ...server] : ["--url", options.url];
  const guarded = {
    command: process.execPath,
    args: [...process.execArgv, process.argv[1] as string, "mcp", ...named, ...behind],
    timeout_ms: options.timeout * 1000,
  };
  const target = { tool: options.tool, args: options.args };
  const request = {
    server: namedServer(options.server, options.credential ?? null),
    target,
    probe: { kind, expected: options.expect } as never,
    cleanup: options.cleanup === undefined ? null : { tool: options.cleanup, args: options.cleanupArgs },
    safety_note: options.safetyNote,
  };
  const result = await probeCommand(
    await seat(options),
    request,
    () =>
      GuardedServer.open(guarded).catch(() => {
        throw new Refusal(ExitCode.no, "probe: no MCP server answered; what it wrote stands above");
      }),
    (opened) =>
      back === null
        ? runPermission(opened, target)
        : runReadback(opened, {
            target,
            read: { tool: back.read, args: back.readArgs },
            declared: new Set(back.volatile),
            idle_ms,
          }),
  );
  print(result, options.json);
};

/** Clocks that count seconds move within it. */
const idle_ms = 1_100;

export const probeCommands = (): Command => {
  const command = new Command("probe").description(
    "look at what a server really does: canaries, on servers that are not for production",
  );
  command.addCommand(
    probing(new Command("permission"), ["allowed", "denied"])
      .description("call a tool that has to be denied, or allowed; exit code 1 where it is not as expected")
      .action((server: readonly string[], options: ProbeOptions) => run(server, options, "permission", null)),
  );
  command.addCommand(
    probing(new Command("readback"), ["no_change", "change_allowed"])
      .description(
        "read, call, read again: did the call change what it has to? exit code 1 where it is not as expected",
      )
      .requiredOption("--read <tool>", "the tool that reads the state")
      .option("--read-args <json>", "its arguments", object, {})
      .option(
        "--volatile <pointer>",
        "what moves by itself, as a JSON Pointer into the result; may be repeated",
        pointer,
      )
      .action((server: readonly string[], options: ReadbackOptions) => run(server, options, "readback", options)),
  );
  command.addCommand(
    ofServer(new Command("list"))
      .description("the probes of a server, newest first")
      .action(async ({ server, credential, ...options }: ProbeOptions) => {
        const { namedServer } = await import("../../client-node/surface/surface-keeper.ts");
        const { listProbes } = await import("../../daemon/operator/commands/probes.ts");
        print(await listProbes(await seat(options), namedServer(server, credential ?? null)), options.json);
      }),
  );
  return command;
};
