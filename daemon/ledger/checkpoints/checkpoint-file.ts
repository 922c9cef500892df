import { readOwnFile } from "../../store/read-own-file.ts";
import { StoreRefused } from "../../store/refused.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { type Checkpoint, originOf, parseCheckpoint } from "./checkpoint.ts";
import { maxNoteBytes, parseSignedNote, type SignedNote, signedNoteText } from "./signed-note.ts";

/** A note and what it says. Whether a signature holds is another question. */
export interface CheckpointNote {
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

/** Null where the text is no note, or its text is no checkpoint. */
export const parseCheckpointNote = (text: string): CheckpointNote | null => {
  const note = parseSignedNote(text);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  return note === null || checkpoint === null ? null : Object.freeze({ note, checkpoint });
};

/**
 * The newest checkpoint as the state directory has it, beside the store: a store that was cut off, or put back from an
 * older copy, does not reach it. Null where there is none. Throws StoreRefused: `checkpoint_unusable`, or
 * `ledger_other_chain` where it is another chain's.
 */
export const readCheckpointFile = (path: string, chain: string): CheckpointNote | null => {
  const read = readOwnFile(path, maxNoteBytes);
  if (read === null) return null;
  if (typeof read !== "string") throw new StoreRefused("checkpoint_unusable", read.problem);
  const parsed = parseCheckpointNote(read);
  if (parsed === null) throw new StoreRefused("checkpoint_unusable", `${path} is not a checkpoint; restore it`);
  const { origin } = parsed.checkpoint;
  if (origin !== originOf(chain)) {
    const advice = "restore that chain's ledger, or move the file away where this chain is meant to be another";
    throw new StoreRefused("ledger_other_chain", `${path} is of another chain than ${chain}; ${advice}`);
  }
  return parsed;
};

/** Throws StoreFailed. */
export const writeCheckpointFile = (path: string, note: SignedNote): void =>
  replaceFile(path, signedNoteText(note), "the state directory's checkpoint");
