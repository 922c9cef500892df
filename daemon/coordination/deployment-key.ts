import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { codeOf } from "../store/state-directory.ts";
import {
  adoptStoreKey,
  pendingStoreKey,
  readStoreKey,
  storeKeyBytes,
  writePendingStoreKey,
} from "../store/store-key.ts";

/**
 * The key that the daemons of one deployment share: two of them hash the same call to the same claim by it. The first
 * daemon makes it; where others are known already, it has to come from them. Throws Refusal (exit code 5), StoreRefused
 * for a file that is no key of ours alone.
 *
 * @param isShared whether daemons with a key were there before; asked only where this one has none.
 */
export const deploymentKey = async (path: string, isShared: () => Promise<boolean>): Promise<Uint8Array> => {
  const key = readStoreKey(path);
  if (key !== null) return key;
  if (await isShared()) {
    throw new Refusal(
      ExitCode.storeUnavailable,
      `coordination: ${path} is missing, and other daemons have a key; copy the file from one of them`,
    );
  }
  const made = randomBytes(storeKeyBytes);
  try {
    rmSync(pendingStoreKey(path), { force: true });
    writePendingStoreKey(path, made);
    adoptStoreKey(path);
  } catch (error) {
    throw new Refusal(ExitCode.storeUnavailable, `coordination: cannot create ${path} (${codeOf(error)})`);
  }
  return new Uint8Array(made);
};
