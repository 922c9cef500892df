import { basename } from "node:path";
import { Command } from "commander";
import type { Target } from "../../adapters/mcp/run-mcp.ts";
import { placesFor } from "../../daemon/config/places.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { anySeconds } from "./seconds.ts";

interface McpOptions {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly server?: string;
  readonly credential?: string;
  readonly socket?: string;
  readonly tokenFile?: string;
  readonly principal?: string;
  readonly timeout?: number;
  readonly approvalWait?: number;
}

/** @param umask what the server is started with: its files are its own. */
export const mcpCommand = (umask: number): Command =>
  new Command("mcp")
    .description("an MCP server for any host, in front of one that it guards")
    .usage("[options] -- <command> [arguments]\n       interlock mcp [options] --url <url>")
    .argument("[command...]", "starts the server that is guarded; behind --")
    .option("--url <url>", "a remote server, in place of a command")
    .option(
      "--header <line...>",
      "with --url: `Name: value`, where $" + "{NAME} is the environment variable of that name",
    )
    .option(
      "--server <name>",
      "what the server goes by in rules and receipts (default: the command's name, or the host)",
    )
    .option("--credential <name>", "whom the server is shown: each has what the server lists of its own")
    .option("--socket <path>", "the daemon's socket (default: INTERLOCK_SOCKET, else where a daemon listens by itself)")
    .option("--token-file <file>", "bearer token that says who acts (default: INTERLOCK_TOKEN_FILE)")
    .option("--principal <name>", "who acts, where no token says it (default: INTERLOCK_PRINCIPAL)")
    .option("--timeout <seconds>", "how long a verdict may take (default: 5)", anySeconds)
    .option(
      "--approval-wait <seconds>",
      "how long a call waits for an operator's yes, instead of being refused",
      anySeconds,
    )
    .action(async (command: readonly string[], options: McpOptions) => {
      const { env } = process;
      const headers = headersOf(options.header ?? [], env);
      const target = targetOf(command, options.url, headers);
      const { approvalWait, timeout } = options;
      const principal = options.principal ?? env.INTERLOCK_PRINCIPAL;
      const tokenFile = options.tokenFile ?? env.INTERLOCK_TOKEN_FILE;
      process.umask(umask);
      // A host that goes ends the server in its order, and not this process at once.
      process.stdout.removeAllListeners("error");
      // Loaded when asked for: help needs none of it.
      const { NotStarted, namedServer, runMcp } = await import("../../adapters/mcp/run-mcp.ts");
      const name = options.server ?? (target.kind === "http" ? target.url.host : basename(target.command));
      const exit = await runMcp({
        socket: options.socket ?? env.INTERLOCK_SOCKET ?? placesFor(env).socket,
        engine: {
          ...(tokenFile === undefined ? {} : { tokenFile }),
          ...(principal === undefined ? {} : { principal }),
          ...(timeout === undefined ? {} : { timeout }),
        },
        guard: {
          named: namedServer(name, options.credential ?? shownBy(headers)),
          ...(approvalWait === undefined ? {} : { escalate: "wait", escalateDeadline_ms: approvalWait * 1000 }),
        },
        target,
      }).catch((error: unknown) => {
        throw error instanceof NotStarted ? new Refusal(ExitCode.refused, `mcp: ${error.message}`) : error;
      });
      // As the server ended, so that whoever started this one sees the same.
      if (exit.signal !== null) process.kill(process.pid, exit.signal);
      process.exit(exit.code ?? ExitCode.no);
    });

const targetOf = (
  [command, ...args]: readonly string[],
  url: string | undefined,
  headers: Readonly<Record<string, string>>,
): Target => {
  if ((command === undefined) === (url === undefined)) {
    throw new Refusal(ExitCode.refused, "mcp: name the server's command behind --, or its --url; one of the two");
  }
  if (command !== undefined) {
    if (Object.keys(headers).length > 0) throw new Refusal(ExitCode.refused, "mcp: --header goes with --url");
    return { kind: "stdio", command, args };
  }
  const parsed = URL.canParse(url as string) ? new URL(url as string) : null;
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new Refusal(ExitCode.refused, "mcp: --url is an http or https URL");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new Refusal(ExitCode.refused, "mcp: the URL names a user or a password; use --header");
  }
  return { kind: "http", url: parsed, headers };
};

/** A secret is best named by its variable: command lines are seen by everybody on the machine. */
const headersOf = (lines: readonly string[], env: NodeJS.ProcessEnv): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Refusal(ExitCode.refused, "mcp: a --header is `Name: value`");
    }
    headers[name.toLowerCase()] = value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, variable: string) => {
      const given = env[variable];
      if (given !== undefined) return given;
      throw new Refusal(ExitCode.refused, `mcp: the environment has no ${variable}, which a --header names`);
    });
  }
  return headers;
};

/** Servers list by authorization: without another word, whoever shows other headers has another listing. */
const shownBy = (headers: Readonly<Record<string, string>>): string | null => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.length === 0 ? null : lines.sort().join("\n");
};
