import { ExitCode } from "../../exit-codes.ts";
import type { CheckpointStore } from "../../store/checkpoint-rows.ts";
import { openCheckpoints } from "../../store/open-checkpoints.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { StoreFailed } from "../../store/refused.ts";
import { parseCosignature } from "../checkpoints/cosignature.ts";
import { noteSigners } from "../checkpoints/note-signers.ts";
import {
  maxNoteSignatures,
  type NoteSignature,
  parseSignedNote,
  type SignedNote,
  signedNoteText,
} from "../checkpoints/signed-note.ts";
import type { VerifierKey } from "../checkpoints/verifier-key.ts";
import { readGivenWitness } from "../verification/given-keys.ts";
import { readNoteText } from "../verification/note-file.ts";
import { isOfChain, type ReadCheckpoint } from "../verification/read-checkpoint.ts";
import { type CommandOutput, done, refused, storeError } from "./output.ts";

/**
 * Keeps a witness's cosignature with the checkpoint that it is of: what the witness gave back, in a file. It is verified
 * first, with the key that is given here, and stands beside the daemon's own signature. Works beside the daemon. Exit 0;
 * 1 where it does not hold or is of another checkpoint; 2 for a file or a key that is none; 5 where there is no ledger.
 */
export const cosign = async (place: ReceiptPlace, path: string, given: string): Promise<CommandOutput> => {
  const witness = readGivenWitness(given);
  const { read } = await readNoteText(path);
  const { forged, signed } = noteSigners(read.note, [witness]);
  if (forged.length > 0) return refused(ExitCode.no, `${path}: the signature of ${witness.name} does not hold`);
  if (signed.length === 0) return refused(ExitCode.no, `${path}: ${witness.name} has not signed it with this key`);
  try {
    const store = await openCheckpoints(place);
    try {
      return await keep(store, read, witness);
    } finally {
      await store.close();
    }
  } catch (error) {
    return storeError(error);
  }
};

const keep = async (store: CheckpointStore, read: ReadCheckpoint, witness: VerifierKey): Promise<CommandOutput> => {
  const { size } = read;
  if (!isOfChain(read, store.chain)) return refused(ExitCode.no, `it is of another log than chain ${store.chain}`);
  const stored = await store.find(size);
  if (stored === null) return refused(ExitCode.no, `chain ${store.chain} has no checkpoint of ${size} receipts`);
  const note = parseSignedNote(stored.note);
  if (note?.text !== read.note.text) {
    return refused(ExitCode.no, `the checkpoint of ${size} receipts is another one here: one of the two is a fork`);
  }
  const theirs = read.note.signatures.filter((signature) => isOf(signature, witness));
  const cosigned = signedNoteText(withSignatures(note, theirs, witness));
  if (parseSignedNote(cosigned) === null) {
    return refused(ExitCode.no, `a checkpoint keeps at most ${maxNoteSignatures} signatures`);
  }
  if (!(await store.replaceNote(size, stored.note, cosigned))) {
    throw new StoreFailed("the checkpoint was changed meanwhile; run the command again");
  }
  return done([`checkpoint of ${size} receipts: cosigned by ${witness.name} at ${timeOf(theirs)}`]);
};

/** A witness that signs again is kept with what it said last. */
const withSignatures = (note: SignedNote, theirs: readonly NoteSignature[], witness: VerifierKey): SignedNote => ({
  text: note.text,
  signatures: [...note.signatures.filter((signature) => !isOf(signature, witness)), ...theirs],
});

const isOf = ({ name, keyHash }: NoteSignature, witness: VerifierKey): boolean =>
  name === witness.name && keyHash === witness.keyHash;

/** The newest that it says. */
const timeOf = (signatures: readonly NoteSignature[]): string => {
  const times = signatures.map(({ signature }) => (parseCosignature(signature)?.time_s ?? 0) * 1_000);
  const newest = new Date(Math.max(...times));
  return Number.isNaN(newest.getTime()) ? "a time that no calendar has" : newest.toISOString();
};
