import { originOf, parseCheckpoint } from "../checkpoints/checkpoint.ts";
import { parseSignedNote, type SignedNote } from "../checkpoints/signed-note.ts";

/** A checkpoint as a verifier read it: what it says is not believed yet. */
export interface ReadCheckpoint {
  readonly note: SignedNote;
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
}

/** Null where the text is not a signed note of a checkpoint. */
export const readCheckpoint = (text: string): ReadCheckpoint | null => {
  const note = parseSignedNote(text);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  if (note === null || checkpoint === null) return null;
  const { origin, size, root } = checkpoint;
  return Object.freeze({ note, origin, size, root: Buffer.from(root).toString("hex") });
};

export const isOfChain = ({ origin }: ReadCheckpoint, chain: string): boolean => origin === originOf(chain);
