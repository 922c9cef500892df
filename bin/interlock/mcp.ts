import { basename } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { placesFor } from "../../daemon/config/places.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";

interface McpOptions {
  readonly server?: string;
  readonly credential?: string;
  readonly socket?: string;
  readonly tokenFile?: string;
  readonly principal?: string;
  readonly timeout?: number;
  readonly approvalWait?: number;
}

const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value <= 86_400)) throw new InvalidArgumentError("seconds, above 0");
  return value;
};

/** @param umask what the server is started with: its files are its own. */
export const mcpCommand = (umask: number): Command =>
  new Command("mcp")
    .description("an MCP server for any host, in front of one that it guards")
    .usage("[options] -- <command> [arguments]")
    .argument("[command...]", "starts the server that is guarded; behind --")
    .option("--server <name>", "what the server goes by in rules and receipts (default: the command's name)")
    .option("--credential <name>", "whom the server is shown: each has what the server lists of its own")
    .option("--socket <path>", "the daemon's socket (default: INTERLOCK_SOCKET, else where a daemon listens by itself)")
    .option("--token-file <file>", "bearer token that says who acts (default: INTERLOCK_TOKEN_FILE)")
    .option("--principal <name>", "who acts, where no token says it (default: INTERLOCK_PRINCIPAL)")
    .option("--timeout <seconds>", "how long a verdict may take (default: 5)", seconds)
    .option(
      "--approval-wait <seconds>",
      "how long a call waits for an operator's yes, instead of being refused",
      seconds,
    )
    .action(async (command: readonly string[], options: McpOptions) => {
      const [program, ...args] = command;
      if (program === undefined) throw new Refusal(ExitCode.refused, "mcp: name the server's command behind --");
      const { env } = process;
      const { approvalWait, timeout } = options;
      const principal = options.principal ?? env.INTERLOCK_PRINCIPAL;
      const tokenFile = options.tokenFile ?? env.INTERLOCK_TOKEN_FILE;
      process.umask(umask);
      // A host that goes ends the server in its order, and not this process at once.
      process.stdout.removeAllListeners("error");
      // Loaded when asked for: no other command needs it.
      const { NotStarted, namedServer, runMcp } = await import("../../adapters/mcp/run-mcp.ts");
      const exit = await runMcp({
        socket: options.socket ?? env.INTERLOCK_SOCKET ?? placesFor(env).socket,
        engine: {
          ...(tokenFile === undefined ? {} : { tokenFile }),
          ...(principal === undefined ? {} : { principal }),
          ...(timeout === undefined ? {} : { timeout }),
        },
        guard: {
          named: namedServer(options.server ?? basename(program), options.credential ?? null),
          ...(approvalWait === undefined ? {} : { escalate: "wait", escalateDeadline_ms: approvalWait * 1000 }),
        },
        command: program,
        args,
      }).catch((error: unknown) => {
        throw error instanceof NotStarted ? new Refusal(ExitCode.refused, `mcp: ${error.message}`) : error;
      });
      // As the server ended, so that whoever started this one sees the same.
      if (exit.signal !== null) process.kill(process.pid, exit.signal);
      process.exit(exit.code ?? ExitCode.no);
    });
