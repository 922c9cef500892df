import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import type { JsonValue } from "../../wire/value.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { acquireLock } from "../store/sqlite/lock.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { KeyRefused } from "./key-error.ts";
import type { KeyringTrust } from "./keyring-trust.ts";
import { type KeyringPlace, readTrustFiles, trustFrom } from "./trust-files.ts";

/** The file as it is written: keys that a command does not change stay as somebody wrote them. */
export interface KeyringFile {
  readonly v: 1;
  readonly keys: readonly { readonly [key: string]: JsonValue }[];
  readonly thresholds?: { readonly [role: string]: number };
  readonly handovers?: readonly JsonValue[];
  readonly revocations?: readonly JsonValue[];
  readonly revoked?: readonly JsonValue[];
}

export interface KeyringPlaces {
  readonly trust: readonly string[];
  readonly keyring: KeyringPlace;
}

/**
 * Changes a keyring, or makes it: one command at a time, and what it says then is judged as a daemon will judge it before it takes the
 * old one's place, whole or not at all. Throws `KeyRefused` or `Refusal`; then nothing was changed.
 */
export const changeKeyring = async <T>(
  { trust, keyring }: KeyringPlaces,
  change: (file: KeyringFile, before: KeyringTrust) => readonly [KeyringFile, T],
): Promise<T> => {
  const { path } = keyring;
  const lock = lockOf(path);
  if (lock === null) throw new Refusal(ExitCode.refused, `somebody else is changing ${path}; try again`);
  try {
    // A default file of public keys need not be there yet.
    const places = { trust: trust.filter((file) => existsSync(file)), keyring: { path, whenMissing: "none" } as const };
    const files = await readTrustFiles(places);
    const before = trustFrom(files);
    const text = files.keyring?.text ?? '{"v":1,"keys":[]}';
    const [changed, answer] = change(JSON.parse(text) as KeyringFile, before);
    const written = `${JSON.stringify(changed, null, 2)}\n`;
    trustFrom({ trust: files.trust, keyring: { path, text: written } });
    await write(path, written);
    return answer;
  } finally {
    lock.release();
  }
};

const lockOf = (path: string): ReturnType<typeof acquireLock> => {
  try {
    return acquireLock(`${path}.lock`);
  } catch {
    throw new KeyRefused("key_not_written", `${path} cannot be written: its directory is not there, or is not yours`);
  }
};

const write = async (path: string, text: string): Promise<void> => {
  try {
    await writeFileAtomically(path, text);
    // It holds public keys alone; a daemon of another account may have to read it.
    await chmod(path, 0o644);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new KeyRefused("key_not_written", `${path} cannot be written (${code})`);
  }
};
