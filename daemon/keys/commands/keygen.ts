import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { checkNewPassphrase, type PassphraseSource } from "../passphrase.ts";
import { generateKeyPair } from "../private-key.ts";
import { sealKey } from "../sealed-key.ts";
import { plainText, writeKeyPair } from "../write-key-pair.ts";

export interface KeygenCommand {
  readonly path: string;
  /** Where a passphrase comes from, to seal the private key by. */
  readonly seal?: PassphraseSource;
}

/** `interlock keygen PATH`: a new key pair, PATH and PATH.pub, never over existing files. */
export const keygen = ({ path, seal }: KeygenCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const key = generateKeyPair();
    const privateText = seal === undefined ? plainText(key) : await sealedText(key, path, seal);
    const { privatePath, publicPath } = await writeKeyPair(path, key, privateText);
    const kept = seal === undefined ? "keep it" : "sealed; keep it, and its passphrase";
    return done([`key ${key.keyId}`, `private key ${privatePath} (${kept})`, `public key ${publicPath} (trust it)`], {
      key_id: key.keyId,
      private_key: privatePath,
      public_key: publicPath,
    });
  }, ExitCode.refused);

/** Asks for a new passphrase, and seals by it. Throws `KeyRefused`. */
export const sealedText = async (
  key: ReturnType<typeof generateKeyPair>,
  path: string,
  passphrase: PassphraseSource,
): Promise<string> => {
  const chosen = await passphrase(`new passphrase of ${path}: `);
  checkNewPassphrase(chosen);
  return sealKey(key, chosen);
};
