import { Command } from "commander";
import { storeCheck } from "../../daemon/commands/store-check.ts";
import { storeMigrate } from "../../daemon/commands/store-migrate.ts";
import { type Flags, resolveSettings } from "../../daemon/config/resolve.ts";
import { print } from "./print.ts";

type PlaceFlags = Pick<Flags, "config" | "state" | "store">;

const settingsOf = ({ config, state, store }: PlaceFlags) =>
  resolveSettings({ config, state, store }, process.env, process.cwd());

const withPlace = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--store <address>", "sqlite, or postgres://user@host/database")
    .option("--json", "one JSON object");

/** Only digits are a version; anything else is refused as one. */
const versionOf = (text: string): number => (/^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN);

export const storeCommand = (): Command => {
  const store = new Command("store").description("the schema, the key and the chains of the store");
  withPlace(store.command("migrate"))
    .description("bring a PostgreSQL database up to this release's schema; stop its daemons first")
    .option("--down <version>", "take back what came after this version; 0 leaves nothing of interlock's")
    .option("--discard-rows", "with --down: delete the rows of tables that go, receipts too")
    .action(async ({ json, down, discardRows, ...flags }) => {
      const request = {
        down: down === undefined ? null : versionOf(down),
        rows: discardRows ? ("discard" as const) : ("keep" as const),
        now_ms: Date.now(),
      };
      print(await storeMigrate(await settingsOf(flags), request), json);
    });
  withPlace(store.command("check"))
    .description("is the schema this release's, the key the store's, the newest receipt of each chain whole?")
    .action(async ({ json, ...flags }) => print(await storeCheck(await settingsOf(flags)), json));
  return store;
};
