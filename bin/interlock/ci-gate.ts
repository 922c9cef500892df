import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { safeJson } from "../../daemon/operator/display/safe-text.ts";
import type { GateObservation, GateResult } from "../../daemon/surfaces/commands/ci-gate.ts";
import type { ServerKey } from "../../daemon/surfaces/surface.ts";
import { keyOf } from "./drift-check.ts";
import { choice } from "./seated.ts";
import { seconds } from "./seconds.ts";

const help = `
Exit codes: 0 clean or advisory, 20 review required, 21 quarantined, 22 inconclusive, 2 configuration, 3 permission, 4 protocol. Never 1.`;

/** @param umask what the server is started with: its files, and the review's, are of whoever runs the gate. */
export const ciGateCommand = (umask: number): Command =>
  new Command("ci-gate")
    .description("for a pipeline: what an MCP server lists now against what was approved, without a daemon")
    .usage("--server <name> [options] [-- <command> [arguments]]")
    .argument("[command...]", "starts the server that is listed; behind --")
    .requiredOption("--server <name>", "the server's name")
    .option("--credential <digest>", "whom the server is shown: sha256:<hex> or none")
    .option("--listing <file>", "a listing that was saved, instead of a command")
    .option("--baseline <file>", "what servers show --export wrote (default: what the store approved)")
    .option("--output-dir <directory>", "where the review is written", ".")
    .addOption(
      choice("--fail-policy <policy>", "from where on a finding asks for a review", [
        "material",
        "any-finding",
        "quarantine-only",
      ]).default("material"),
    )
    .option("--timeout-seconds <seconds>", "how long the server may take to list", seconds(0.1, 600), 60)
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .addOption(new Option("--json", "the review on standard output"))
    .addHelpText("after", help)
    .action(async (command: readonly string[], options) => {
      const { server, credential, listing, baseline, outputDir, failPolicy, timeoutSeconds, config, state, json } =
        options;
      if ((listing === undefined) === (command.length === 0))
        throw new Refusal(ExitCode.refused, "ci-gate: name the server's command behind --, or --listing with a file");
      const key = keyOf(server, credential);
      process.umask(umask);
      // Loaded when asked for: help needs none of it.
      const { ciGate } = await import("../../daemon/surfaces/commands/ci-gate.ts");
      const sources = await import("../../daemon/surfaces/ci-gate/sources.ts");
      const settings =
        baseline === undefined ? await resolveSettings({ config, state }, process.env, process.cwd()) : null;
      let result: GateResult;
      try {
        result = await ciGate({
          server: key,
          policy: failPolicy,
          by: listing === undefined ? "command" : "file",
          timeout_s: timeoutSeconds,
          now_ms: Date.now(),
          baseline: () =>
            settings === null ? sources.baselineFromFile(baseline, key) : sources.baselineFromStore(settings, key),
          observe: () =>
            listing === undefined
              ? listedBy(command, key, timeoutSeconds * 1000)
              : sources.observedInFile(listing, key),
        });
      } catch {
        // What is not one of ours is not described: its message may hold anything.
        process.stdout.write("interlock ci-gate: inconclusive (22): the gate itself failed\n");
        process.exitCode = 22;
        return;
      }
      await writeReview(outputDir, result);
      process.stdout.write(`${json ? safeJson(result.json) : result.lines.join("\n")}\n`);
      process.exitCode = result.exitCode;
    });

const listedBy = async (command: readonly string[], key: ServerKey, timeout_ms: number): Promise<GateObservation> => {
  const { ListingRefused, NoAnswer, NotStarted, takeListing } = await import(
    "../../adapters/mcp/listing/take-listing.ts"
  );
  const { serverEnvironment } = await import("../../adapters/mcp/run-mcp.ts");
  const { GateFailed } = await import("../../daemon/surfaces/commands/ci-gate.ts");
  const { parseSurfaceBody, SurfaceRefused } = await import("../../daemon/surfaces/parse-surface.ts");
  const [program = "", ...args] = command;
  try {
    const taken = await takeListing(program, args, serverEnvironment(process.env), timeout_ms);
    return { status: "observed", surface: parseSurfaceBody({ ...key, ...taken, identity: null, ttl_ms: null }) };
  } catch (error) {
    if (error instanceof NotStarted) throw new GateFailed("config_error", error.message);
    if (error instanceof ListingRefused) throw new GateFailed("protocol_error", error.message);
    if (error instanceof NoAnswer) return { status: "unavailable", reason: error.message };
    if (error instanceof SurfaceRefused)
      return { status: "observed_rejected", reason: `the listing is refused: ${error.message}` };
    throw error;
  }
};

const artifact = "interlock-boundary-review";

const writeReview = async (directory: string, { review }: GateResult): Promise<void> => {
  const { reviewMarkdown } = await import("../../daemon/surfaces/ci-gate/markdown.ts");
  try {
    mkdirSync(directory, { recursive: true });
    put(join(directory, `${artifact}.json`), `${JSON.stringify(review, null, 2)}\n`);
    put(join(directory, `${artifact}.md`), reviewMarkdown(review));
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Refusal(ExitCode.refused, `ci-gate: the review cannot be written: ${code}`);
  }
};

/** Whole or not at all. */
const put = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};
