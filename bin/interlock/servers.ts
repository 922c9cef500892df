import { Command } from "commander";
import {
  exportServer,
  listServers,
  removeServer,
  showServer,
  trustServer,
} from "../../daemon/operator/commands/servers.ts";
import { print, progress } from "./print.ts";
import { choice, type SeatedOptions, seat, seated } from "./seated.ts";

/** What every command about one server takes. */
export const ofServer = (command: Command): Command =>
  seated(command).option(
    "--credential <digest>",
    "whom the server is shown, where there are several: sha256:<hex> or none",
  );

export const serversCommand = (): Command => {
  const servers = new Command("servers").description("MCP servers that were reported: look, trust, remove");
  seated(servers.command("list"))
    .description("each with what is held of it")
    .action(async ({ json, ...flags }: SeatedOptions) => print(await listServers(await seat(flags)), json));
  ofServer(servers.command("show"))
    .description("one server, and each item with its hash")
    .argument("<server>", "its name")
    .option("--export", "what is approved of it with its definitions, as drift check and ci-gate take it")
    .action(async (server: string, { json, credential, export: isExport, ...flags }) => {
      const named = { server, credential };
      const at = await seat(flags);
      print(isExport ? await exportServer(at, named, progress("items")) : await showServer(at, named), json);
    });
  ofServer(servers.command("trust"))
    .description("say what it is; approves nothing of what it offers")
    .argument("<server>", "its name")
    .addOption(
      choice("--environment <environment>", "what it works on", ["production", "non_production"]).default("production"),
    )
    .option("--probes", "canaries may be run against it; only where it is non_production")
    .action(async (server: string, { json, credential, environment, probes, ...flags }) => {
      const as = { environment, probes: Boolean(probes) };
      print(await trustServer(await seat(flags), { server, credential }, as), json);
    });
  ofServer(servers.command("remove"))
    .description("nothing of it may be called, until somebody trusts it again")
    .argument("<server>", "its name")
    .option("--reason <text>", "why", "")
    .action(async (server: string, { json, credential, reason, ...flags }) =>
      print(await removeServer(await seat(flags), { server, credential }, reason), json),
    );
  return servers;
};
