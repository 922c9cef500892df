import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { KeyRefused } from "./key-error.ts";

/** A PEM file of a few keys; anything larger is not one. */
export const maxKeyFileBytes = 64 * 1024;

/** A secret is for its owner alone; whom to believe may be read by all, and written by the owner or root. */
export type KeyFileKind = "private" | "passphrase" | "public" | "keyring";

const names: Readonly<Record<KeyFileKind, string>> = {
  private: "private key",
  passphrase: "passphrase file",
  public: "public key",
  keyring: "keyring",
};

const isSecret = (kind: KeyFileKind): boolean => kind === "private" || kind === "passphrase";

/**
 * Reads a key file once, from one descriptor, and judges that descriptor: what was checked is what was read. A private
 * key must be a regular file that belongs to this user and that nobody else can read; trusted keys may be root's.
 */
export const readKeyFile = async (
  path: string,
  kind: KeyFileKind,
  {
    user = process.getuid?.(),
    maxBytes = maxKeyFileBytes,
  }: { readonly user?: number | undefined; readonly maxBytes?: number } = {},
): Promise<string> => {
  const name = names[kind];
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => refuseToOpen(path, name, error),
  );
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new KeyRefused("key_not_a_file", `${name} ${path} is not a regular file`);
    judgeOwner(path, kind, stat, user);
    if (stat.size > maxBytes) throw new KeyRefused("key_malformed", `${name} ${path} is larger than ${maxBytes} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};

const judgeOwner = (path: string, kind: KeyFileKind, stat: Stats, user: number | undefined): void => {
  const name = names[kind];
  const byRoot = !isSecret(kind) && stat.uid === 0;
  if (user !== undefined && stat.uid !== user && !byRoot)
    throw new KeyRefused("key_foreign_owner", `${name} ${path} belongs to another user; chown it to the daemon's`);
  if (isSecret(kind) && (stat.mode & 0o077) !== 0)
    throw new KeyRefused("key_open_to_others", `${name} ${path} is open to other users; chmod 600 it`);
  if (!isSecret(kind) && (stat.mode & 0o022) !== 0) {
    const what = kind === "public" ? "trusted keys" : name;
    throw new KeyRefused("key_open_to_others", `${what} ${path} can be written by other users; chmod 644 it`);
  }
};

const refuseToOpen = async (path: string, name: string, error: NodeJS.ErrnoException): Promise<never> => {
  if (error.code === "ENOENT") throw new KeyRefused("key_missing", `${name} ${path} does not exist`);
  if (
    error.code === "ELOOP" ||
    (await lstat(path).then(
      (stat) => stat.isSymbolicLink(),
      () => false,
    ))
  )
    throw new KeyRefused("key_symlink", `${name} ${path} is a symbolic link; name the file itself`);
  throw new KeyRefused("key_unreadable", `${name} ${path} cannot be read (${error.code ?? "unknown error"})`);
};
