import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { analyze } from "../../daemon/commands/analyze.ts";
import { type CandidateRules, candidateRules } from "../../daemon/commands/candidate-rules.ts";
import { readEvent } from "../../daemon/commands/judge-offline.ts";
import { simulate } from "../../daemon/commands/simulate.ts";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import type { Settings } from "../../daemon/config/settings.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { print } from "./print.ts";

const unknownOption = (): Option =>
  new Option("--unknown <what>", "a call that no rule covers (default: as configured)").choices([
    "allow",
    "escalate",
    "block",
  ]);

/** `--rules FILE`: a module to try unsigned, or a signed file; nothing: what is configured. */
const candidateOf = (path: string | undefined, settings: Settings): CandidateRules => {
  const { rules, trust } = settings;
  if (path === undefined) return { files: rules, trust, servedBy: settings };
  return path.endsWith(".json") ? { files: [path], trust, servedBy: settings } : { entry: path, servedBy: settings };
};

export const simulateCommand = (): Command =>
  new Command("simulate")
    .description("judge a file of events in process, without a daemon: one decision a line")
    .requiredOption("--events <file>", "one event a line, as JSON; - is standard input")
    .option("--rules <file>", "rule module or signed rule set (default: the configured ones)")
    .option("--against <file>", "tell only what differs from these rules; `current` is what is configured")
    .addOption(unknownOption())
    .option("--trust <file>", "public keys, for signed rule sets")
    .option("--config <file>", "configuration")
    .option("--json", "one JSON object a line")
    .action(async ({ events, rules, against, json, trust, ...flags }) => {
      const settings = await resolveSettings(
        { ...flags, ...(trust === undefined ? {} : { trust: [trust] }) },
        process.env,
        process.cwd(),
      );
      const other = against === undefined ? null : candidateOf(against === "current" ? undefined : against, settings);
      const summary = await simulate(
        {
          events,
          rules: candidateOf(rules, settings),
          against: other,
          unknown: settings.unknown,
          now_ms: Date.now(),
        },
        (line) => process.stdout.write(`${json ? JSON.stringify(line.json) : line.text}\n`),
      );
      if (!json) process.stderr.write(`${summary.text}\n`);
      process.exitCode = summary.exitCode;
    });

const textOf = (path: string): string => {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8").trim();
  } catch (error) {
    throw new Refusal(ExitCode.refused, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

export const analyzeCommand = (): Command =>
  new Command("analyze")
    .description("all causes for one event: what every matching rule says of it, each alone")
    .argument("<event>", "file with one event as JSON; - is standard input")
    .option("--rules <file>", "rule module or signed rule set (default: the configured ones)")
    .addOption(unknownOption())
    .option("--trust <file>", "public keys, for signed rule sets")
    .option("--config <file>", "configuration")
    .option("--json", "one JSON object")
    .action(async (path: string, { rules, json, trust, ...flags }) => {
      const settings = await resolveSettings(
        { ...flags, ...(trust === undefined ? {} : { trust: [trust] }) },
        process.env,
        process.cwd(),
      );
      const read = readEvent(textOf(path), 1);
      if ("error" in read) throw new Refusal(ExitCode.refused, `${path} is not an event: ${read.error}`);
      const now_ms = Date.now();
      const index = await candidateRules(candidateOf(rules, settings), now_ms);
      print(await analyze({ event: read.event, index, unknown: settings.unknown, now_ms }), json);
    });
