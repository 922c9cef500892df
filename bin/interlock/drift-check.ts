import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { readGivenFile } from "../../daemon/ledger/read-given-file.ts";
import { maxListingBytes } from "../../daemon/surfaces/offline/limits.ts";
import type { ServerKey, Surface } from "../../daemon/surfaces/surface.ts";
import { sayAwaited } from "./awaited.ts";
import { print } from "./print.ts";
import { choice } from "./seated.ts";

const bytesOf = async (file: string, what: string): Promise<Buffer> => {
  if (file !== "-") return readGivenFile(file, what, maxListingBytes);
  sayAwaited(what);
  const bytes = readFileSync(0);
  if (bytes.length > maxListingBytes) throw new Refusal(ExitCode.refused, `${what} has more than 32 MiB`);
  return bytes;
};

/** `--credential` as commands take it: `none` where it is not given. */
export const keyOf = (server: string, credential: string | undefined): ServerKey => {
  if (credential === undefined || credential === "none") return { server, credential: null };
  if (/^sha256:[0-9a-f]{64}$/.test(credential)) return { server, credential };
  throw new Refusal(ExitCode.refused, "--credential is none, or sha256: and 64 hex digits");
};

export const driftCheckCommand = (parent: Command): void => {
  parent
    .command("check")
    .description("a saved listing, offline: against what was approved, or for what is hostile by itself; 1 on drift")
    .argument(
      "<file>",
      "the result of tools/list, its response, the list alone, {tools, prompts, ...}; - is standard input",
    )
    .addOption(
      new Option("--baseline <file>", "another listing, or what servers show --export wrote").conflicts("server"),
    )
    .option("--server <name>", "what the store of the state directory approved of this one")
    .option("--credential <digest>", "whom the server is shown: sha256:<hex> or none")
    .addOption(
      choice("--fail-on <action>", "from where on it is drift", ["quarantine", "deny", "monitor", "any"]).default(
        "deny",
      ),
    )
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--json", "one JSON object")
    .addOption(new Option("--sarif", "SARIF 2.1.0").conflicts("json"))
    .action(async (file: string, { baseline, server, credential, failOn, config, state, json, sarif }) => {
      const bytes = await bytesOf(file, "the listing");
      // Loaded when asked for: what reads definitions is large.
      const { ListingFileRefused, parseListingFile } = await import("../../daemon/surfaces/offline/listing-file.ts");
      const { checkDrift } = await import("../../daemon/surfaces/commands/check.ts");
      const key = keyOf(server ?? "listing", credential);
      const parsed = (from: Uint8Array, what: string) => {
        try {
          return parseListingFile(from, key);
        } catch (error) {
          if (!(error instanceof ListingFileRefused)) throw error;
          throw new Refusal(ExitCode.refused, `${what} is refused: ${error.message}`);
        }
      };
      const listing = parsed(bytes, "the listing");
      let approved: Surface | null = null;
      if (baseline !== undefined) approved = parsed(await bytesOf(baseline, "the baseline"), "the baseline").surface;
      else if (server !== undefined) {
        const { readRecordedServer } = await import("../../daemon/surfaces/offline/recorded-server.ts");
        const settings = await resolveSettings({ config, state }, process.env, process.cwd());
        approved = (await readRecordedServer(settings, key))?.approved ?? null;
        if (approved === null)
          throw new Refusal(ExitCode.refused, "nothing of a server of that name, and that credential, was approved");
      }
      const result = checkDrift({
        file,
        source: bytes.toString("utf8"),
        listing,
        approved,
        failOn,
        format: sarif ? "sarif" : "lines",
        columns: process.stdout.isTTY ? process.stdout.columns : null,
      });
      // What was found is what was asked for: it goes to stdout, with the exit code beside it.
      if (json) print(result, true);
      else process.stdout.write(`${result.lines.join("\n")}\n`);
      process.exitCode = result.exitCode;
    });
};
