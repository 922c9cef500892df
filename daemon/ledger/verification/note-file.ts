import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { codeOf } from "../../store/state-directory.ts";
import { maxNoteBytes } from "../checkpoints/signed-note.ts";
import { type ReadCheckpoint, readCheckpoint } from "./read-checkpoint.ts";

/** The checkpoint in a file; null where there is no file. Throws Refusal (2) for what is none. */
export const readNoteFile = async (path: string): Promise<ReadCheckpoint | null> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw new Refusal(ExitCode.refused, `the checkpoint ${path} cannot be read (${codeOf(error)})`);
  });
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    const checkpoint =
      stat.isFile() && stat.size <= maxNoteBytes ? readCheckpoint(await handle.readFile("utf8")) : null;
    if (checkpoint === null) throw new Refusal(ExitCode.refused, `${path} is not a signed checkpoint of a chain`);
    return checkpoint;
  } finally {
    await handle.close();
  }
};
