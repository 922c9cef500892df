import { ExitCode } from "../exit-codes.ts";
import { PolicyRefused } from "../fallback/refusal.ts";
import { DocumentRefused } from "../keys/document-refused.ts";
import { KeyRefused } from "../keys/key-error.ts";
import { RuleSetRefused } from "../rulesets/refusal.ts";
import { SigningRefused } from "../rulesets/sign-refusal.ts";
import { ScopesRefused } from "../scopes/refusal.ts";

/** What a command found: lines for a person, the same as data for a program. */
export interface CommandResult {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly json: { readonly [key: string]: unknown };
}

export const done = (lines: readonly string[], json: CommandResult["json"]): CommandResult => ({
  exitCode: ExitCode.done,
  lines,
  json: { ok: true, ...json },
});

/** A refusal becomes one line and an exit code: `no` where the command is a check, `refused` where it was to make something. */
export const orRefusal = async (run: () => Promise<CommandResult>, refusal: ExitCode): Promise<CommandResult> => {
  try {
    return await run();
  } catch (error) {
    if (
      !(
        error instanceof RuleSetRefused ||
        error instanceof SigningRefused ||
        error instanceof KeyRefused ||
        error instanceof DocumentRefused ||
        error instanceof ScopesRefused ||
        error instanceof PolicyRefused
      )
    )
      throw error;
    const details = error instanceof RuleSetRefused || error instanceof ScopesRefused ? error.details : [];
    const isKey = error instanceof KeyRefused;
    return {
      exitCode: isKey ? ExitCode.refused : error.code === "examples_failed" ? ExitCode.no : refusal,
      lines: details.length > 1 ? [error.message, ...details.map((line) => `  ${line}`)] : [error.message],
      json: { ok: false, code: error.code, message: error.message, details },
    };
  }
};
