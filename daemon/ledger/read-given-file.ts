import { open } from "node:fs/promises";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { codeOf } from "../store/state-directory.ts";

/**
 * A file that somebody gives to a command, of at most so many bytes: its size is looked at before it is read. `what` names it in
 * refusals: `the proof`. Throws Refusal.
 */
export const readGivenFile = async (path: string, what: string, maxBytes: number): Promise<Buffer> => {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw new Refusal(ExitCode.refused, `${what} ${path} is longer than ${maxBytes} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(ExitCode.refused, `${what} ${path} cannot be read (${codeOf(error)})`);
  }
};
