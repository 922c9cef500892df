import { statSync } from "node:fs";
import { join } from "node:path";
import { parseCheckpointNote } from "../ledger/checkpoints/checkpoint-file.ts";
import { maxNoteBytes } from "../ledger/checkpoints/signed-note.ts";
import { readOwnFile } from "../store/read-own-file.ts";

/** The newest checkpoint as the state directory's file has it. Its signature is for `interlock receipts verify`. */
export interface NewestCheckpoint {
  readonly size: number;
  /** Since the file was written, by this machine's clock. */
  readonly age_s: number;
}

/** Null where there is none that can be read. */
export const newestCheckpoint = (state: string, now_ms: number): NewestCheckpoint | null => {
  const path = join(state, "checkpoint");
  const text = readOwnFile(path, maxNoteBytes);
  const parsed = typeof text === "string" ? parseCheckpointNote(text) : null;
  const written_ms = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (parsed === null || written_ms === undefined) return null;
  return { size: parsed.checkpoint.size, age_s: Math.max(0, Math.floor((now_ms - written_ms) / 1_000)) };
};
