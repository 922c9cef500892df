import { Command } from "commander";
import { placesFor } from "../../daemon/config/places.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { anySeconds } from "./seconds.ts";

interface GatewayOptions {
  readonly config: string;
  readonly socket?: string;
  readonly tokenFile?: string;
  readonly principal?: string;
  readonly timeout?: number;
}

export const gatewayCommand = (): Command =>
  new Command("gateway")
    .description("many guarded MCP servers at POST /mcp/<server>, for hosts that speak Streamable HTTP")
    .requiredOption("--config <file>", "YAML: where to listen, and the servers")
    .option("--socket <path>", "the daemon's socket (default: INTERLOCK_SOCKET, else where a daemon listens by itself)")
    .option("--token-file <file>", "bearer token that says to the daemon who acts (default: INTERLOCK_TOKEN_FILE)")
    .option("--principal <name>", "who acts, where no token says it (default: INTERLOCK_PRINCIPAL)")
    .option("--timeout <seconds>", "how long a verdict may take (default: 5)", anySeconds)
    .action(async (options: GatewayOptions) => {
      const { env } = process;
      const principal = options.principal ?? env.INTERLOCK_PRINCIPAL;
      const tokenFile = options.tokenFile ?? env.INTERLOCK_TOKEN_FILE;
      // Loaded when asked for: no other command needs it.
      const { GatewayRefused, readGatewaySettings, runGateway } = await import(
        "../../adapters/mcp/gateway/run-gateway.ts"
      );
      const gateway = await (async () => {
        try {
          return await runGateway(
            readGatewaySettings(options.config),
            options.socket ?? env.INTERLOCK_SOCKET ?? placesFor(env).socket,
            {
              ...(tokenFile === undefined ? {} : { tokenFile }),
              ...(principal === undefined ? {} : { principal }),
              ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
            },
          );
        } catch (error) {
          if (error instanceof GatewayRefused) throw new Refusal(ExitCode.refused, `gateway: ${error.message}`);
          const { code } = error as NodeJS.ErrnoException;
          if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL")
            throw new Refusal(ExitCode.cannotServe, `gateway: it cannot listen there: ${code}`);
          throw error;
        }
      })();
      process.stderr.write(`interlock gateway: listening on ${gateway.url}\n`);
      await new Promise<void>((resolve) => {
        for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
      });
      await gateway.close();
      process.exit(ExitCode.done);
    });
