import { signedDocumentText } from "../../../wire/signed-document.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { handoverText } from "../../keys/handover.ts";
import { KeyRefused } from "../../keys/key-error.ts";
import { generateKeyPair, type PrivateKey } from "../../keys/private-key.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { maxTrustedKeys, readTrustedKeys } from "../../keys/read-trusted-keys.ts";
import { signDocument } from "../../keys/sign-document.ts";
import { plainText } from "../../keys/write-key-pair.ts";
import { acquireLock } from "../../store/sqlite/lock.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { writeFileAtomically } from "../../store/write-atomically.ts";

export interface RotatedKey {
  readonly from: PrivateKey;
  readonly to: PrivateKey;
}

/**
 * Puts a new key in the place of the one that signs a chain's checkpoints, while no daemon uses it. In this order, so that a crash leaves what a
 * daemon can go on with: the old key's hand-over is written for others; the new public key joins the old ones, by which the
 * chain's older checkpoints go on to be verified; the private key is replaced. Throws Refusal, KeyRefused, StoreRefused.
 */
export const rotateReceiptsKey = async (state: string, out: string, now_ms: number): Promise<RotatedKey> => {
  const directory = findStateDirectory(state);
  const lock = acquireLock(directory.lockPath);
  if (lock === null) {
    throw new Refusal(ExitCode.alreadyServed, `a daemon keeps its ledger in ${directory.path}; stop it first`);
  }
  try {
    const path = directory.receiptsKeyPath;
    const [from, before] = [await readPrivateKey(path), await readTrustedKeys(`${path}.pub`)];
    if (before.length === maxTrustedKeys) {
      throw new Refusal(ExitCode.refused, `${path}.pub holds ${maxTrustedKeys} keys, and that is as many as it can`);
    }
    const to = generateKeyPair();
    await write(out, handoverOf(from, to, now_ms - (now_ms % 1000)), 0o644);
    const keys = [...before, to.publicKey];
    await write(
      `${path}.pub`,
      keys.map(({ object }) => object.export({ format: "pem", type: "spki" })).join(""),
      0o644,
    );
    await write(path, plainText(to), 0o600);
    return { from, to };
  } finally {
    lock.release();
  }
};

const handoverOf = (from: PrivateKey, to: PrivateKey, at_ms: number): string => {
  const payload = handoverText({
    role: "receipts",
    from: from.keyId,
    to: to.publicKey,
    at_ms,
    not_before_ms: at_ms,
    not_after_ms: null,
  });
  return signedDocumentText(signDocument("handover", payload, from));
};

const write = async (path: string, text: string, mode: number): Promise<void> => {
  try {
    await writeFileAtomically(path, text, mode);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new KeyRefused("key_not_written", `${path} cannot be written (${code})`);
  }
};
