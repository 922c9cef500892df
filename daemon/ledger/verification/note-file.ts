import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { codeOf } from "../../store/state-directory.ts";
import { maxNoteBytes } from "../checkpoints/signed-note.ts";
import { type ReadCheckpoint, readCheckpoint } from "./read-checkpoint.ts";

/** A checkpoint, and the note as it was written. */
export interface CheckpointText {
  readonly text: string;
  readonly read: ReadCheckpoint;
}

/** The checkpoint in a file; null where there is no file. Throws Refusal (2) for what is none. */
export const findNoteText = async (path: string): Promise<CheckpointText | null> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw new Refusal(ExitCode.refused, `the checkpoint ${path} cannot be read (${codeOf(error)})`);
  });
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    const text = stat.isFile() && stat.size <= maxNoteBytes ? await handle.readFile("utf8") : "";
    const read = readCheckpoint(text);
    if (read === null) throw new Refusal(ExitCode.refused, `${path} is not a signed checkpoint of a chain`);
    return Object.freeze({ text, read });
  } finally {
    await handle.close();
  }
};

/** The same where there has to be one. */
export const readNoteText = async (path: string): Promise<CheckpointText> => {
  const found = await findNoteText(path);
  if (found === null) throw new Refusal(ExitCode.refused, `the checkpoint ${path} does not exist`);
  return found;
};
