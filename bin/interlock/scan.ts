import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { readGivenFile } from "../../daemon/ledger/read-given-file.ts";
import { sayAwaited } from "./awaited.ts";
import { print } from "./print.ts";

const maxScannedFileBytes = 64 * 1024 * 1024;

const confidence = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) throw new InvalidArgumentError("a number from 0 to 1");
  return value;
};

/** One word each time, so that the file may stand behind it. */
const ids = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...text.split(",")];

const bytesOf = async (file: string): Promise<Buffer> => {
  if (file !== "-") return readGivenFile(file, "the file", maxScannedFileBytes);
  sayAwaited("what is to be scanned");
  const bytes = readFileSync(0);
  if (bytes.length > maxScannedFileBytes) throw new Refusal(ExitCode.refused, "standard input has more than 64 MiB");
  return bytes;
};

export const scanCommand = (): Command =>
  new Command("scan")
    .description(
      "what the standard packs find in a text, in JSON, or in a saved MCP listing; 1 where something is found",
    )
    .argument("<file>", "file; - is standard input")
    .addOption(
      new Option("--as <kind>", "what it is (default: JSON where it is, else text)").choices([
        "text",
        "json",
        "listing",
      ]),
    )
    .addOption(
      new Option("--phase <phase>", "result: it came from a tool; call: it is about to go to one")
        .choices(["result", "call"])
        .default("result"),
    )
    .addOption(new Option("--tier <tier>", "options of the packs").choices(["starter", "strict"]).default("starter"))
    .option("--pack <ids>", "only these packs, with commas: secrets,pii", ids)
    .option("--min-confidence <number>", "leave out what is less sure, from 0 to 1", confidence, 0.5)
    .option("--json", "one JSON object")
    .option("--sarif", "SARIF 2.1.0")
    .action(async (file: string, { as, phase, tier, pack, minConfidence, json, sarif }) => {
      if (json && sarif) throw new Refusal(ExitCode.refused, "--json or --sarif, one of the two");
      const source = (await bytesOf(file)).toString("utf8");
      // Loaded when asked for: the packs are much, and other commands need none of it.
      const { scan } = await import("../../daemon/scan/commands/scan.ts");
      const request = { file, source, as: as ?? null, phase, tier, packs: pack ?? [], minConfidence } as const;
      const result = await scan({ ...request, format: sarif ? "sarif" : "lines" });
      // Findings are what was asked for: they go to stdout, with the exit code beside them.
      if (json) print(result, true);
      else process.stdout.write(`${result.lines.join("\n")}\n`);
      process.exitCode = result.exitCode;
    });
