import type { CommandResult } from "../../daemon/commands/command-result.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { CommandFailed, type CommandOutput } from "../../daemon/ledger/commands/output.ts";
import { safeJson } from "../../daemon/operator/display/safe-text.ts";
import { refusalOf } from "../../daemon/start-refusal.ts";

/** Machine output is one JSON value on stdout; for a person, lines: stdout where it went well, stderr where not. */
export const print = (result: CommandResult, json: boolean | undefined): void => {
  if (json) process.stdout.write(`${safeJson(result.json)}\n`);
  else (result.exitCode === ExitCode.done ? process.stdout : process.stderr).write(`${result.lines.join("\n")}\n`);
  process.exitCode = result.exitCode;
};

/** Lines as they come, for outputs that do not fit memory. */
export const printStream = async ({ exitCode, lines, error }: CommandOutput): Promise<void> => {
  process.exitCode = exitCode;
  try {
    for await (const line of lines) {
      if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  } catch (failure) {
    if (!(failure instanceof CommandFailed)) throw failure;
    process.stderr.write(`interlock: ${failure.message}\n`);
    process.exitCode = failure.exitCode;
    return;
  }
  if (error !== null) process.stderr.write(`interlock: ${error}\n`);
};

/** Any failure as one line and its exit code. */
export const failed = (error: unknown): void => {
  const { message, exitCode } = error instanceof Refusal ? error : refusalOf(error);
  process.stderr.write(`interlock: ${message}\n`);
  process.exitCode = exitCode;
};

/** A count that rises on a terminal, and nothing where nobody watches. */
export const progress =
  (what: string) =>
  (count: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${count} ${what}`);
  };
