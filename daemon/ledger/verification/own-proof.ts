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
  if (kept !== null && keys.length === 0) {
    throw new Refusal(
      ExitCode.refused,
      `${join(state, "receipts.key.pub")} is missing: restore it, or name the key with --key`,
    );
  }
  return Object.freeze({ keys, kept });
};

/** What a state directory holds its own store to, and nothing else. */
export const expectationsOf = ({ keys, kept }: OwnProof): LogExpectations =>
  Object.freeze({
    head: null,
    kept: kept === null ? [] : [kept],
    believed: { keys: keys.map(believedAlways), witnesses: [] },
    neverSigned: "taken",
    witnesses: 0,
    maxUnsigned: null,
  });

/** Throws as readOwnProof. */
export const ownExpectations = async (state: string): Promise<LogExpectations> =>
  expectationsOf(await readOwnProof(state));

/** What was given, and what the state directory itself holds its store to. */
export const withOwnProof = (given: LogExpectations, { keys, kept }: OwnProof): LogExpectations =>
  Object.freeze({
    ...given,
    kept: kept === null ? given.kept : [...given.kept, kept],
    believed: { ...given.believed, keys: [...given.believed.keys, ...keys.map(believedAlways)] },
  });
