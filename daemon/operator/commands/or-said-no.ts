import type { CommandResult } from "../../commands/command-result.ts";
import { OperatorsAway, OperatorsSaidNo } from "../ask-operators.ts";
import { safeText } from "../display/safe-text.ts";

/** What the daemon refused, as a command's result: its code is for programs. */
export const orSaidNo = async (run: () => Promise<CommandResult>): Promise<CommandResult> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OperatorsSaidNo || error instanceof OperatorsAway)) throw error;
    const code = error instanceof OperatorsSaidNo ? error.code : "no_daemon";
    return {
      exitCode: error.exitCode,
      lines: [safeText(error.message)],
      json: { ok: false, code, message: error.message },
    };
  }
};
