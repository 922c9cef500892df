import type { PublicKey } from "../../keys/public-key.ts";
import { logKey } from "../checkpoints/checkpoint.ts";
import { noteSigners } from "../checkpoints/note-signers.ts";
import type { VerifierKey } from "../checkpoints/verifier-key.ts";
import type { ChainProblem } from "../verify.ts";
import type { ReadCheckpoint } from "./read-checkpoint.ts";

/** A key that is believed for a log, and between which times; null for no bound. */
export interface BelievedKey {
  /** With the name that it has in notes; a bare key is believed under the log's own. */
  readonly key: VerifierKey | PublicKey;
  readonly not_before_ms: number | null;
  readonly not_after_ms: number | null;
  /** From when nothing that it signed is believed. */
  readonly revoked_at_ms: number | null;
}

/** Whom a verifier believes: what it was given, and nothing that the log says of itself. */
export interface Believed {
  readonly keys: readonly BelievedKey[];
  readonly witnesses: readonly VerifierKey[];
}

/** Who signed a checkpoint, of those who are believed. */
export interface Signers {
  /** Key hashes. */
  readonly keys: readonly string[];
  /** Names. */
  readonly witnesses: readonly string[];
  /** How many witnesses that are, each once: a key may be given twice, or under two names. */
  readonly cosigned: number;
}

/** Without bounds in time. */
export const believedAlways = (key: VerifierKey | PublicKey): BelievedKey =>
  Object.freeze({ key, not_before_ms: null, not_after_ms: null, revoked_at_ms: null });

interface ChainKey extends BelievedKey {
  readonly key: VerifierKey;
}

/** Judges the checkpoints of one chain. */
export class SignerJudge {
  readonly #keys: readonly ChainKey[];
  readonly #witnesses: readonly VerifierKey[];

  constructor(chain: string, { keys, witnesses }: Believed) {
    this.#keys = keys.map((one) => ({ ...one, key: "keyHash" in one.key ? one.key : logKey(chain, one.key) }));
    this.#witnesses = witnesses;
  }

  /** @param at_ms when the newest receipt that it covers was written; null where that is not known. */
  judge({ note }: ReadCheckpoint, at_ms: number | null): Signers | ChainProblem {
    const byLog = noteSigners(
      note,
      this.#keys.map(({ key }) => key),
    );
    const byWitnesses = noteSigners(note, this.#witnesses);
    if (byLog.forged.length + byWitnesses.forged.length > 0) return "checkpoint_bad_signature";
    if (this.#keys.length > 0 && byLog.signed.length === 0) return "checkpoint_unknown_key";
    const signed = this.#keys.filter(({ key }) => byLog.signed.includes(key));
    const inTime = signed.filter((one) => timeProblem(one, at_ms) === null);
    const [late] = signed;
    if (late !== undefined && inTime.length === 0) return timeProblem(late, at_ms) ?? "expired_key";
    return Object.freeze({
      keys: Object.freeze(inTime.map(({ key }) => key.keyHash)),
      witnesses: Object.freeze(byWitnesses.signed.map(({ name }) => name)),
      cosigned: new Set(byWitnesses.signed.map(({ publicKey }) => publicKey.keyId)).size,
    });
  }
}

const timeProblem = (key: BelievedKey, at_ms: number | null): "key_revoked" | "expired_key" | null => {
  if (at_ms === null) return null;
  if (key.revoked_at_ms !== null && at_ms >= key.revoked_at_ms) return "key_revoked";
  const early = key.not_before_ms !== null && at_ms < key.not_before_ms;
  const late = key.not_after_ms !== null && at_ms > key.not_after_ms;
  return early || late ? "expired_key" : null;
};
