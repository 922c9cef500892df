import { ExitCode, Refusal } from "../exit-codes.ts";
import { FileUnread, readRegularFile } from "../store/regular-file.ts";

/** A file that somebody gives to a command, of at most so many bytes. `what` names it in refusals: `the proof`. Throws Refusal. */
export const readGivenFile = async (path: string, what: string, maxBytes: number): Promise<Buffer> => {
  try {
    return await readRegularFile(path, maxBytes);
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    throw new Refusal(ExitCode.refused, `${what} ${error.message}`);
  }
};
