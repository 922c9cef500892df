import { join } from "node:path";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { KeyRefused } from "../../keys/key-error.ts";
import type { PublicKey } from "../../keys/public-key.ts";
import { readTrustedKeys } from "../../keys/read-trusted-keys.ts";
import type { LogExpectations } from "./log-walk.ts";
import { findNoteText } from "./note-file.ts";
import type { ReadCheckpoint } from "./read-checkpoint.ts";
import { believedAlways } from "./signers.ts";

/** What a state directory has, beside the store, to hold the store to. */
export interface OwnProof {
  readonly keys: readonly PublicKey[];
  /** The newest checkpoint as the daemon wrote it to a file; null where there is none. */
  readonly kept: ReadCheckpoint | null;
}

/** @param state an absolute path. Throws Refusal and KeyRefused: a file that is damaged is no missing one. */
export const readOwnProof = async (state: string): Promise<OwnProof> => {
  const keys = await readTrustedKeys(join(state, "receipts.key.pub")).catch((error: unknown) => {
    if (error instanceof KeyRefused && error.code === "key_missing") return [];
    throw error;
  });
  const kept = (await findNoteText(join(state, "checkpoint")))?.read ?? null;
  return Object.freeze({ keys, kept });
};

/** Whose checkpoints are to be believed, where there are any. Throws Refusal: without a key they would prove nothing. */
const assertKeys = ({ keys, kept }: OwnProof): void => {
  if (kept === null || keys.length > 0) return;
  throw new Refusal(
    ExitCode.refused,
    "receipts.key.pub is missing in the state directory: restore it, or name the key with --key",
  );
};

/** What a state directory holds its own store to, and nothing else. Throws Refusal. */
export const expectationsOf = (own: OwnProof): LogExpectations => {
  assertKeys(own);
  const { keys, kept } = own;
  return Object.freeze({
    head: null,
    kept: kept === null ? [] : [kept],
    believed: { keys: keys.map(believedAlways), witnesses: [] },
    neverSigned: "taken",
    witnesses: 0,
    maxUnsigned: null,
  });
};

/** Throws as readOwnProof. */
export const ownExpectations = async (state: string): Promise<LogExpectations> =>
  expectationsOf(await readOwnProof(state));

/**
 * What was given, and what the state directory itself holds its store to. Whoever brings a key believes that one alone: who writes
 * the state directory could put another beside it. Throws Refusal.
 */
export const withOwnProof = (given: LogExpectations, own: OwnProof): LogExpectations => {
  const { keys, kept } = own;
  const isGiven = given.believed.keys.length > 0;
  if (!isGiven) assertKeys(own);
  return Object.freeze({
    ...given,
    kept: kept === null ? given.kept : [...given.kept, kept],
    believed: isGiven ? given.believed : { ...given.believed, keys: keys.map(believedAlways) },
  });
};
