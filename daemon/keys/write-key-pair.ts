import { link, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { KeyRefused } from "./key-error.ts";
import type { PrivateKey } from "./private-key.ts";

/**
 * Writes PATH (private, 0600; sealed where that text is given) and PATH.pub (public, 0644). Neither is ever overwritten: each is written beside its
 * name, synced, and linked into place, which fails where the name is taken. Throws `KeyRefused`.
 */
export const writeKeyPair = async (
  path: string,
  key: PrivateKey,
  privateText: string = plainText(key),
): Promise<{ readonly privatePath: string; readonly publicPath: string }> => {
  const publicPath = `${path}.pub`;
  await writeNew(path, privateText, 0o600);
  try {
    await writePublicKey(publicPath, key);
  } catch (error) {
    await unlink(path);
    throw error;
  }
  return { privatePath: path, publicPath };
};

/** The public half alone (SPKI PEM, 0644). Throws `KeyRefused`; what is there already stays. */
export const writePublicKey = (publicPath: string, key: PrivateKey): Promise<void> =>
  writeNew(publicPath, key.publicKey.object.export({ format: "pem", type: "spki" }).toString(), 0o644);

/** PKCS8 PEM. */
export const plainText = (key: PrivateKey): string => key.object.export({ format: "pem", type: "pkcs8" }).toString();

const writeNew = async (path: string, text: string, mode: number): Promise<void> => {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    const handle = await open(beside, "wx", mode);
    try {
      // The mode given to open is cut by the umask; the file's own is set here.
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    try {
      await link(beside, path);
    } finally {
      await unlink(beside);
    }
    const directory = await open(dirname(path), "r");
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST")
      throw new KeyRefused("key_exists", `${path} exists and is not overwritten; choose another name`);
    throw new KeyRefused("key_not_written", `${path} cannot be written (${code ?? "unknown error"})`);
  }
};
