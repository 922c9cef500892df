import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { StoreRefused } from "../refused.ts";
import { keyDigest } from "../sqlite/key-digest.ts";
import { codeOf } from "../state-directory.ts";
import { adoptStoreKey, pendingStoreKey, readStoreKey, storeKeyBytes, writePendingStoreKey } from "../store-key.ts";
import type { Session } from "./connection.ts";

/**
 * The key that all daemons of a database share: fingerprints are made with it, and what must come back is sealed with
 * it. The database remembers its digest and takes no other. Without one on either side it is made: beside its place
 * first, then into the database, then into place, so that a crash loses none that was used. Throws StoreRefused.
 */
export const deploymentKey = async (session: Session, path: string, now_ms: number): Promise<Uint8Array> => {
  const stored = await storedDigest(session);
  const key = readStoreKey(path) ?? (stored === null ? null : readStoreKey(pendingStoreKey(path)));
  if (key === null) return stored === null ? makeKey(session, path, now_ms) : refuseMissing(path);
  const digest = stored ?? (await recordDigest(session, keyDigest(key), now_ms));
  if (digest !== keyDigest(key)) {
    throw new StoreRefused(
      "deployment_key_other",
      `${path} is not the deployment key of this database; copy the one of another of its daemons there`,
    );
  }
  if (readStoreKey(path) === null) adoptStoreKey(path);
  return key;
};

const refuseMissing = (path: string): never => {
  throw new StoreRefused(
    "deployment_key_missing",
    `${path} is missing, and the database has a key; copy the file from another of its daemons`,
  );
};

const makeKey = async (session: Session, path: string, now_ms: number): Promise<Uint8Array> => {
  const key = randomBytes(storeKeyBytes);
  try {
    rmSync(pendingStoreKey(path), { force: true });
    writePendingStoreKey(path, key);
  } catch (error) {
    throw new StoreRefused("store_unavailable", `cannot create ${path} (${codeOf(error)})`);
  }
  if ((await recordDigest(session, keyDigest(key), now_ms)) !== keyDigest(key)) {
    // Another daemon was first, and its key is the one.
    rmSync(pendingStoreKey(path), { force: true });
    return refuseMissing(path);
  }
  adoptStoreKey(path);
  return new Uint8Array(key);
};

/** The digest of the key that the database was first used with; null before. Throws StoreFailed. */
export const storedDigest = async (session: Session): Promise<string | null> => {
  const [row] = (await session.query("SELECT key_digest FROM interlock.deployment")).rows;
  return row === undefined ? null : (row.key_digest as string);
};

/** Records a digest where there is none yet; what stands afterwards. */
const recordDigest = async (session: Session, digest: string, now_ms: number): Promise<string | null> => {
  await session.query(
    "INSERT INTO interlock.deployment(key_digest, created_ms) VALUES($1, $2) ON CONFLICT DO NOTHING",
    [digest, now_ms],
  );
  return storedDigest(session);
};
