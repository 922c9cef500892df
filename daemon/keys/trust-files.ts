import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";
import { emptyKeyring, maxKeyringBytes, parseKeyring } from "./keyring.ts";
import { type KeyringTrust, keyringTrust } from "./keyring-trust.ts";
import { parseTrustedKeys } from "./read-trusted-keys.ts";

/** Where a keyring is. `none` where there need not be one: a file that the configuration names must be there. */
export interface KeyringPlace {
  readonly path: string;
  readonly whenMissing: "refuse" | "none";
}

/** Where what is believed is written down. */
export interface TrustPlaces {
  /** Files of public keys (PEM), of the role `rules`. */
  readonly trust: readonly string[];
  /** Null where only those files count. */
  readonly keyring: KeyringPlace | null;
}

/** Those files as they were read once: what is judged here is judged from the same text in another thread. */
export interface TrustFiles {
  readonly trust: readonly { readonly path: string; readonly text: string }[];
  /** Null where there is no keyring. */
  readonly keyring: { readonly path: string; readonly text: string } | null;
}

/** Throws `KeyRefused` for a file that is missing, is not ours or root's, or that others can write. */
export const readTrustFiles = async ({ trust, keyring }: TrustPlaces): Promise<TrustFiles> => {
  const [pems, ring] = await Promise.all([
    Promise.all(trust.map(async (path) => ({ path, text: await readKeyFile(path, "public") }))),
    keyring === null ? null : readKeyring(keyring),
  ]);
  return Object.freeze({ trust: Object.freeze(pems), keyring: ring });
};

const readKeyring = async ({ path, whenMissing }: KeyringPlace): Promise<TrustFiles["keyring"]> => {
  try {
    return Object.freeze({ path, text: await readKeyFile(path, "keyring", { maxBytes: maxKeyringBytes }) });
  } catch (error) {
    if (whenMissing === "none" && error instanceof KeyRefused && error.code === "key_missing") return null;
    throw error;
  }
};

/** Where they were read from; where there was no keyring, where one would be read from. */
export const placesOf = (
  { trust, keyring }: TrustFiles,
  settings: { readonly keyring: KeyringPlace },
): { readonly trust: readonly string[]; readonly keyring: KeyringPlace } => ({
  trust: trust.map(({ path }) => path),
  keyring: keyring === null ? settings.keyring : { path: keyring.path, whenMissing: "refuse" },
});

/** Judges what was read. Throws `KeyRefused`. */
export const trustFrom = ({ trust, keyring }: TrustFiles): KeyringTrust => {
  const ring = keyring === null ? emptyKeyring : parseKeyring(keyring.path, Buffer.from(keyring.text, "utf8"));
  const keys = trust.flatMap(({ path, text }) => parseTrustedKeys(text, path));
  return keyringTrust(ring, { role: "rules", keys }, keyring?.path ?? "");
};

/** What the configured files say is believed. Throws `KeyRefused`. */
export const readTrust = async (places: TrustPlaces): Promise<KeyringTrust> => trustFrom(await readTrustFiles(places));
