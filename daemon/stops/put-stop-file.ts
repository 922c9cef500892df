import { rmSync, writeFileSync } from "node:fs";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { codeOf } from "../store/state-directory.ts";

/** Puts the file there, with a reason in its first line; one that is there already stays as it is. Throws Refusal. */
export const putStopFile = (path: string, reason: string): void => {
  try {
    writeFileSync(path, `${reason}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw new Refusal(ExitCode.refused, `${path} cannot be made (${codeOf(error)}); nothing is stopped by it`);
  }
};

/** Takes it away. False where none was there. Throws Refusal: then the stop goes on. */
export const removeStopFile = (path: string): boolean => {
  try {
    rmSync(path, { recursive: true });
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw new Refusal(
      ExitCode.refused,
      `${path} cannot be removed (${codeOf(error)}); everything is blocked while it is there`,
    );
  }
};
