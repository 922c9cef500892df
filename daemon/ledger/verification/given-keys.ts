import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { PublicKey } from "../../keys/public-key.ts";
import { readTrustedKeys } from "../../keys/read-trusted-keys.ts";
import { parseVerifierKey, type VerifierKey } from "../checkpoints/verifier-key.ts";

/** A key as it was given: its text (a vkey), or a PEM file of one or more public keys. Throws Refusal and KeyRefused. */
export const readGivenKey = async (given: string): Promise<readonly (VerifierKey | PublicKey)[]> => {
  const named = parseVerifierKey(given);
  if (named === null) return readTrustedKeys(given);
  if (named.kind !== "log")
    throw new Refusal(ExitCode.refused, "the key of --key is a witness's; give it with --witness");
  return [named];
};

/** A witness's key as its text; it has no other form, because a witness signs under its own name. Throws Refusal. */
export const readGivenWitness = (given: string): VerifierKey => {
  const named = parseVerifierKey(given);
  if (named?.kind === "witness") return named;
  throw new Refusal(ExitCode.refused, "--witness takes a witness's key as its text: NAME+HASH+KEY");
};
