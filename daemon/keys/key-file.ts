import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { KeyRefused } from "./key-error.ts";

/** A PEM file of a few keys; anything larger is not one. */
export const maxKeyFileBytes = 64 * 1024;

/**
 * Reads a key file once, from one descriptor, and judges that descriptor: what was checked is what was read. A private
 * key must be a regular file that belongs to this user and that nobody else can read; trusted keys may be root's.
 */
export const readKeyFile = async (
  path: string,
  kind: "private" | "public",
  user: number | undefined = process.getuid?.(),
): Promise<string> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => refuseToOpen(path, kind, error),
  );
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new KeyRefused("key_not_a_file", `${kind} key ${path} is not a regular file`);
    judgeOwner(path, kind, stat, user);
    if (stat.size > maxKeyFileBytes)
      throw new KeyRefused("key_malformed", `${kind} key ${path} is larger than ${maxKeyFileBytes} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};

const judgeOwner = (path: string, kind: "private" | "public", stat: Stats, user: number | undefined): void => {
  const byRoot = kind === "public" && stat.uid === 0;
  if (user !== undefined && stat.uid !== user && !byRoot)
    throw new KeyRefused("key_foreign_owner", `${kind} key ${path} belongs to another user; chown it to the daemon's`);
  if (kind === "private" && (stat.mode & 0o077) !== 0)
    throw new KeyRefused("key_open_to_others", `private key ${path} is open to other users; chmod 600 it`);
  if (kind === "public" && (stat.mode & 0o022) !== 0)
    throw new KeyRefused("key_open_to_others", `trusted keys ${path} can be written by other users; chmod 644 it`);
};

const refuseToOpen = async (path: string, kind: "private" | "public", error: NodeJS.ErrnoException): Promise<never> => {
  if (error.code === "ENOENT") throw new KeyRefused("key_missing", `${kind} key ${path} does not exist`);
  if (
    error.code === "ELOOP" ||
    (await lstat(path).then(
      (stat) => stat.isSymbolicLink(),
      () => false,
    ))
  )
    throw new KeyRefused("key_symlink", `${kind} key ${path} is a symbolic link; name the file itself`);
  throw new KeyRefused("key_unreadable", `${kind} key ${path} cannot be read (${error.code ?? "unknown error"})`);
};
