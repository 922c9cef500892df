import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file whole or not at all: beside its name, synced, renamed over it, and the folder synced. */
export const writeFileAtomically = async (path: string, text: string, mode = 0o644): Promise<void> => {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    const handle = await open(beside, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    // A file of that name that was there before belongs to another run.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") await unlink(beside).catch(() => undefined);
    throw error;
  }
  const directory = await open(dirname(path), "r");
  await directory.sync().finally(() => directory.close());
};
