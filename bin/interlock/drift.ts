import { Command } from "commander";
import {
  approveDrift,
  diffDrift,
  driftHistory,
  listDrift,
  quarantineDrift,
  rebaseline,
  showDrift,
} from "../../daemon/operator/commands/drift.ts";
import { driftCheckCommand } from "./drift-check.ts";
import { print, progress } from "./print.ts";
import { seat } from "./seated.ts";
import { ofServer } from "./servers.ts";

const itemText = "send_mail, prompt:NAME, resource:URI, template:URI or instructions";

export const driftCommand = (): Command => {
  const drift = new Command("drift").description(
    "what MCP servers changed since it was approved: review, approve, hold",
  );
  ofServer(drift.command("list"))
    .description("what is not as it was approved, worst first")
    .argument("[server]", "only of this one")
    .action(async (server: string | undefined, { json, credential, ...flags }) =>
      print(await listDrift(await seat(flags), { ...(server === undefined ? {} : { server }), credential }), json),
    );
  ofServer(drift.command("show"))
    .description("one item: what was found of it, and its hashes")
    .argument("<server>", "its name")
    .argument("<item>", itemText)
    .action(async (server: string, item: string, { json, credential, ...flags }) =>
      print(await showDrift(await seat(flags), { server, credential }, item), json),
    );
  ofServer(drift.command("diff"))
    .description("what changed, word by word; side by side where the terminal is wide")
    .argument("<server>", "its name")
    .argument("[item]", `${itemText}; without it, each that drifted`)
    .option("--held", "compare with what was listed when it became held")
    .action(async (server: string, item: string | undefined, { json, credential, held, ...flags }) => {
      const columns = process.stdout.isTTY ? process.stdout.columns : null;
      const terms = { columns, against: held ? "held" : "observed", tell: progress("items") } as const;
      print(await diffDrift(await seat(flags), { server, credential }, item, terms), json);
    });
  ofServer(drift.command("approve"))
    .description("approve one item as it was reviewed; ends its quarantine")
    .argument("<server>", "its name")
    .argument("<item>", itemText)
    .option("--hash <hash>", "what was reviewed, as diff tells it under observed")
    .option("--gone", "that it is not listed any more")
    .action(async (server: string, item: string, { json, credential, hash, gone, ...flags }) =>
      print(await approveDrift(await seat(flags), { server, credential }, item, { hash, gone: Boolean(gone) }), json),
    );
  ofServer(drift.command("quarantine"))
    .description("hold one item until somebody approves it")
    .argument("<server>", "its name")
    .argument("<item>", itemText)
    .option("--reason <text>", "why", "")
    .action(async (server: string, item: string, { json, credential, reason, ...flags }) =>
      print(await quarantineDrift(await seat(flags), { server, credential }, item, reason), json),
    );
  ofServer(drift.command("rebaseline"))
    .description("stage all that was listed last; with both hashes, approve it")
    .argument("<server>", "its name")
    .option("--current <hash>", "what is approved now, as it was reviewed; none where nothing is")
    .option("--candidate <hash>", "what was listed last, as it was reviewed")
    .action(async (server: string, { json, credential, current, candidate, ...flags }) =>
      print(await rebaseline(await seat(flags), { server, credential }, { current, candidate }), json),
    );
  ofServer(drift.command("history"))
    .description("what was approved, when and by whom, newest first")
    .argument("<server>", "its name")
    .action(async (server: string, { json, credential, ...flags }) =>
      print(await driftHistory(await seat(flags), { server, credential }), json),
    );
  driftCheckCommand(drift);
  return drift;
};
