import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { Head } from "../../store/store.ts";
import { readGivenKey, readGivenWitness } from "./given-keys.ts";
import { readKeyringSigners } from "./keyring-signers.ts";
import type { LogExpectations } from "./log-walk.ts";
import { readNoteText } from "./note-file.ts";
import { believedAlways } from "./signers.ts";

/** What somebody who verifies gives, as it was typed. */
export interface GivenProof {
  /** `SEQ:HASH` of a head that was noted elsewhere, or null. */
  readonly expectHead: string | null;
  /** Files or texts of keys. */
  readonly keys: readonly string[];
  /** A keyring whose keys of the role `receipts` are believed too; null for none. */
  readonly keyring: string | null;
  /** Files of checkpoints that were kept elsewhere. */
  readonly checkpoints: readonly string[];
  /** Texts of witnesses' keys. */
  readonly witnesses: readonly string[];
  /** How many of them must have cosigned one checkpoint; null for all. */
  readonly witnessesNeeded: number | null;
  /** How many receipts may stand after the last signed checkpoint; null for any number. */
  readonly maxUnsigned: number | null;
}

const headPattern = /^([1-9][0-9]{0,15}):([0-9a-f]{64})$/;

const parseHead = (text: string): Head => {
  const [, seq, hash] = headPattern.exec(text) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
  throw new Refusal(ExitCode.refused, "the expected head must be SEQ:HASH, such as verify printed before");
};

/** Throws Refusal and KeyRefused: what cannot be compared with is refused before anything is read. */
export const readGivenProof = async (given: GivenProof): Promise<LogExpectations> => {
  const head = given.expectHead === null ? null : parseHead(given.expectHead);
  const kept = (await Promise.all(given.checkpoints.map(readNoteText))).map(({ read }) => read);
  const keys = [
    ...(await Promise.all(given.keys.map(readGivenKey))).flat().map(believedAlways),
    ...(given.keyring === null ? [] : await readKeyringSigners(given.keyring)),
  ];
  const witnesses = given.witnesses.map(readGivenWitness);
  const needed = given.witnessesNeeded ?? witnesses.length;
  if (needed > new Set(witnesses.map(({ publicKey }) => publicKey.keyId)).size) {
    throw new Refusal(ExitCode.refused, "fewer different witnesses are given than --witnesses needs");
  }
  return Object.freeze({
    head,
    kept,
    believed: Object.freeze({ keys, witnesses }),
    neverSigned: keys.length === 0 ? "taken" : "refused",
    witnesses: needed,
    maxUnsigned: given.maxUnsigned,
  });
};
