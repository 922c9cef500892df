import type { PrivateKey } from "../keys/private-key.ts";
import { signBytes } from "../keys/sign-bytes.ts";
import { trustIn } from "../keys/trust.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { signedBytes } from "./manifest.ts";
import { SigningRefused } from "./sign-refusal.ts";
import { parseSignedFile, type RuleSetFile } from "./signed-file.ts";
import { type VerifiedRuleSet, verifyRuleSet } from "./verify.ts";

/**
 * Adds a signature to a signed file, in place: the very same manifest and bundle, which somebody else built. Nothing of it is run. Throws
 * `RuleSetRefused` or `SigningRefused`, and then has written nothing.
 */
export const cosignRuleSet = async (file: RuleSetFile, key: PrivateKey, now_ms: number): Promise<Cosigned> => {
  const { manifest, signatures, bundle } = parseSignedFile(file);
  const others = signatures.filter(({ key_id }) => key_id !== key.keyId);
  const all = [...others, { key_id: key.keyId, signature: signBytes(signedBytes(manifest), key) }];
  const written = all.map(({ key_id, signature }) => ({
    key_id,
    signature: Buffer.from(signature).toString("base64"),
  }));
  const text = `${JSON.stringify({ manifest, signatures: written, bundle }, null, 1)}\n`;
  // Whoever cosigns vouches for all of it: form, bundle and expiry are judged as a daemon judges them.
  const verified = verifyRuleSet(
    { path: file.path, bytes: Buffer.from(text) },
    trustIn("rules", [key.publicKey]),
    now_ms,
  );
  await writeFileAtomically(file.path, text).catch((error: NodeJS.ErrnoException) => {
    throw new SigningRefused("not_written", `${file.path} cannot be written (${error.code ?? "unknown error"})`);
  });
  return { verified, key_ids: Object.freeze(all.map(({ key_id }) => key_id)) };
};

export interface Cosigned {
  readonly verified: VerifiedRuleSet;
  /** Every key whose signature is in the file now; only the new one was verified. */
  readonly key_ids: readonly string[];
}
