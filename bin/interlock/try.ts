import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { analyze } from "../../daemon/commands/analyze.ts";
import { type CandidateRules, candidateRules } from "../../daemon/commands/candidate-rules.ts";
import { readEvent } from "../../daemon/commands/judge-offline.ts";
import { type SimulatedLine, simulate } from "../../daemon/commands/simulate.ts";
import { simulateLedger } from "../../daemon/commands/simulate-ledger.ts";
import { sinceOf } from "../../daemon/commands/since.ts";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import type { Settings } from "../../daemon/config/settings.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { safeJson } from "../../daemon/operator/display/safe-text.ts";
import { sayAwaited } from "./awaited.ts";
import { print } from "./print.ts";

const unknownOption = (): Option =>
  new Option("--unknown <what>", "a call that no rule covers (default: as configured)").choices([
    "allow",
    "escalate",
    "block",
  ]);

/** `--rules FILE`: a module to try unsigned, or a signed file; nothing: what is configured. */
const candidateOf = (path: string | undefined, settings: Settings): CandidateRules => {
  const { rules } = settings;
  if (path === undefined) return { files: rules, trust: settings, servedBy: settings };
  return path.endsWith(".json")
    ? { files: [path], trust: settings, servedBy: settings }
    : { entry: path, servedBy: settings };
};

/** Where the events are: exactly one of the two. */
const sourceOf = (events: string | undefined, ledger: boolean | undefined, since: string | undefined) => {
  if ((events === undefined) === (ledger !== true)) {
    throw new Refusal(ExitCode.refused, "simulate takes --events FILE or --ledger, one of the two");
  }
  if (events !== undefined && since !== undefined) throw new Refusal(ExitCode.refused, "--since goes with --ledger");
  return events;
};

export const simulateCommand = (): Command =>
  new Command("simulate")
    .description("judge a file of events, or recorded calls, in process: what would these rules say?")
    .option("--events <file>", "one event a line, as JSON; - is standard input")
    .option("--ledger", "the calls that the daemon captured (capture_days): tell those whose outcome would change")
    .option("--since <what>", "with --ledger: a span (12h, 7d), or a receipt's number (default: all)")
    .option("--rules <file>", "rule module or signed rule set (default: the configured ones)")
    .option("--against <file>", "tell only what differs from these rules; `current` is what is configured")
    .addOption(unknownOption())
    .option("--trust <file>", "public keys, for signed rule sets")
    .option("--config <file>", "configuration")
    .option("--state <directory>", "with --ledger: state directory")
    .option("--store <address>", "with --ledger: sqlite, or postgres://user@host/database")
    .option("--json", "one JSON object a line; with --ledger the last is the summary")
    .action(async ({ events, ledger, since, rules, against, json, trust, ...flags }) => {
      const file = sourceOf(events, ledger, since);
      if (file === "-") sayAwaited("events");
      const settings = await resolveSettings(
        { ...flags, ...(trust === undefined ? {} : { trust: [trust] }) },
        process.env,
        process.cwd(),
      );
      const request = {
        rules: candidateOf(rules, settings),
        against: against === undefined ? null : candidateOf(against === "current" ? undefined : against, settings),
        unknown: settings.unknown,
        now_ms: Date.now(),
      };
      const tell = (line: SimulatedLine): void =>
        void process.stdout.write(`${json ? safeJson(line.json) : line.text}\n`);
      const summary =
        file === undefined
          ? await simulateLedger({ ...request, place: settings, since: sinceOf(since ?? null, request.now_ms) }, tell)
          : await simulate({ ...request, events: file }, tell);
      if (!json) process.stderr.write(`${summary.text}\n`);
      else if (file === undefined) process.stdout.write(`${safeJson({ summary: summary.json })}\n`);
      process.exitCode = summary.exitCode;
    });

const textOf = (path: string): string => {
  try {
    if (path === "-") sayAwaited("the event");
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
