import { ExitCode, Refusal } from "../../exit-codes.ts";
import { FileUnread, readRegularFile } from "../../store/regular-file.ts";
import { maxNoteBytes } from "../checkpoints/signed-note.ts";
import { type ReadCheckpoint, readCheckpoint } from "./read-checkpoint.ts";

/** A checkpoint, and the note as it was written. */
export interface CheckpointText {
  readonly text: string;
  readonly read: ReadCheckpoint;
}

/** The checkpoint in a file; null where there is no file. Throws Refusal (2) for what is none. */
export const findNoteText = async (path: string): Promise<CheckpointText | null> => {
  let text: string;
  try {
    text = (await readRegularFile(path, maxNoteBytes)).toString("utf8");
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    if (error.why === "missing") return null;
    throw new Refusal(ExitCode.refused, `the checkpoint ${error.message}`);
  }
  const read = readCheckpoint(text);
  if (read === null) throw new Refusal(ExitCode.refused, `${path} is not a signed checkpoint of a chain`);
  return Object.freeze({ text, read });
};

/** The same where there has to be one. */
export const readNoteText = async (path: string): Promise<CheckpointText> => {
  const found = await findNoteText(path);
  if (found === null) throw new Refusal(ExitCode.refused, `the checkpoint ${path} does not exist`);
  return found;
};
