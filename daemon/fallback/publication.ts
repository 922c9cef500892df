import { chmod } from "node:fs/promises";
import { KeyRefused } from "../keys/key-error.ts";
import type { PrivateKey } from "../keys/private-key.ts";
import { readPrivateKey } from "../keys/read-private-key.ts";
import type { Trust } from "../keys/trust.ts";
import { verifyDocument } from "../keys/verify-document.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { readExistingPolicyFile, readPolicyFile } from "./read-file.ts";
import { PolicyRefused } from "./refusal.ts";
import { digestOf, type SignedPolicy, signPolicy } from "./sign-policy.ts";
import { type ReadPolicy, readPolicy } from "./source.ts";

/** A policy that is signed and not yet where clients read it. Plain data: it is handed to the engine, which knows what was published before. */
export interface Publication extends SignedPolicy {
  /** The policy that somebody wrote. */
  readonly path: string;
}

/** Where clients find what a policy became. */
export const publishedPath = (path: string): string => `${path}.signed`;

export interface ToPublish {
  readonly path: string;
  readonly keyPath: string;
  readonly trust: Trust;
  readonly now_ms: number;
}

/**
 * Reads and signs; writes nothing. Where the key is kept elsewhere, a file that was signed there and says the same is as good.
 *
 * @throws PolicyRefused, KeyRefused, DocumentRefused
 */
export const preparePublication = async ({ path, keyPath, trust, now_ms }: ToPublish): Promise<Publication> => {
  const read = readPolicy((await readExistingPolicyFile(path)).toString("utf8"), path, now_ms);
  const published = await readPolicyFile(publishedPath(path));
  const key = await keyOrNull(keyPath);
  if (key === null) return signedElsewhere(read, published, { path, keyPath, trust, now_ms });
  const believed = trust.keysOf("fallback", now_ms);
  if (believed.length > 0 && !believed.some(({ keyId }) => keyId === key.keyId)) {
    throw new PolicyRefused(
      "policy_key",
      `${keyPath}: key ${key.keyId} is not believed in the role fallback; trust it in the keyring, or name another`,
    );
  }
  return Object.freeze({ path, ...signPolicy(read, key, published, path, now_ms) });
};

const keyOrNull = async (keyPath: string): Promise<PrivateKey | null> => {
  try {
    return await readPrivateKey(keyPath);
  } catch (error) {
    // A sealed key opens for nobody but a person.
    if (error instanceof KeyRefused && (error.code === "key_missing" || error.code === "passphrase_refused"))
      return null;
    throw error;
  }
};

const signedElsewhere = (
  read: ReadPolicy,
  published: Uint8Array | null,
  { path, keyPath, trust, now_ms }: ToPublish,
): Publication => {
  const to = publishedPath(path);
  const missing = (why: string): PolicyRefused =>
    new PolicyRefused(
      "policy_key",
      `${path} cannot be signed: there is no key at ${keyPath} that opens, and ${to} ${why}; make one with interlock keys new, or sign where it is with interlock fallback sign`,
    );
  if (published === null) throw missing("does not exist");
  const { payload, key_ids } = verifyDocument({ path: to, bytes: published }, "fallback", trust, now_ms);
  const digest = digestOf(payload);
  if (digest !== digestOf(read.payload(now_ms))) throw missing("says something else");
  const [keyId = ""] = key_ids;
  const text = Buffer.from(published).toString("utf8");
  return Object.freeze({ path, id: read.policy.id, version: read.policy.version, digest, keyId, text });
};

/** Puts it where clients read it: whole or not at all, and for everybody to read. What is there already stays. @throws PolicyRefused */
export const publish = async ({ path, text }: Publication): Promise<void> => {
  const to = publishedPath(path);
  try {
    if ((await readPolicyFile(to))?.toString("utf8") !== text) await writeFileAtomically(to, text, 0o644);
    await chmod(to, 0o644);
  } catch (error) {
    if (error instanceof PolicyRefused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new PolicyRefused("policy_unreadable", `${to} cannot be written (${code ?? "unknown error"})`);
  }
};
