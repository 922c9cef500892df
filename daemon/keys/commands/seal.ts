import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { writeFileAtomically } from "../../store/write-atomically.ts";
import { KeyRefused } from "../key-error.ts";
import { readKeyFile } from "../key-file.ts";
import type { PassphraseSource } from "../passphrase.ts";
import { readPrivateKey } from "../read-private-key.ts";
import { isSealedText } from "../sealed-key.ts";
import { plainText } from "../write-key-pair.ts";
import { sealedText } from "./keygen.ts";

export interface SealCommand {
  readonly path: string;
  readonly passphrase: PassphraseSource;
}

/** `interlock keys seal PATH`: the same key, from now on under a passphrase, in the same file. */
export const seal = ({ path, passphrase }: SealCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    if (isSealedText(await readKeyFile(path, "private"))) {
      throw new KeyRefused(
        "key_exists",
        `private key ${path} is sealed already; unseal it first for another passphrase`,
      );
    }
    const key = await readPrivateKey(path);
    await replace(path, await sealedText(key, path, passphrase));
    return done([`key ${key.keyId} in ${path} is sealed`], { key_id: key.keyId, private_key: path });
  }, ExitCode.refused);

/** `interlock keys unseal PATH`: the same key, in PEM for whoever reads the file. */
export const unseal = ({ path, passphrase }: SealCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    if (!isSealedText(await readKeyFile(path, "private"))) {
      throw new KeyRefused("key_malformed", `private key ${path} is not sealed`);
    }
    const key = await readPrivateKey(path, passphrase);
    await replace(path, plainText(key));
    return done([`key ${key.keyId} in ${path} is not sealed any more`], { key_id: key.keyId, private_key: path });
  }, ExitCode.refused);

/** Whole or not at all, and never open to others for a moment. */
const replace = async (path: string, text: string): Promise<void> => {
  try {
    await writeFileAtomically(path, text, 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new KeyRefused("key_not_written", `${path} cannot be written (${code}); it is as it was`);
  }
};
