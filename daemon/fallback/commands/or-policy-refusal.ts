import { ExitCode } from "../../exit-codes.ts";
import { KeyRefused } from "../../keys/key-error.ts";
import type { CommandResult } from "../../rulesets/commands/command-result.ts";
import { PolicyRefused } from "../refusal.ts";

/** A refusal becomes one line and an exit code: `no` where the command is a check, `refused` where it was to make something. */
export const orPolicyRefusal = async (run: () => Promise<CommandResult>, refusal: ExitCode): Promise<CommandResult> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PolicyRefused || error instanceof KeyRefused)) throw error;
    const { code, message } = error;
    return {
      exitCode: error instanceof KeyRefused ? ExitCode.refused : refusal,
      lines: [message],
      json: { ok: false, code, message },
    };
  }
};
