import { ExitCode } from "../../exit-codes.ts";
import { generateKeyPair } from "../../keys/private-key.ts";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import { type CommandResult, done, orRefusal } from "./command-result.ts";

/** `interlock keygen PATH`: a new key pair, PATH and PATH.pub, never over existing files. */
export const keygen = (request: { readonly path: string }): Promise<CommandResult> =>
  orRefusal(async () => {
    const key = generateKeyPair();
    const { privatePath, publicPath } = await writeKeyPair(request.path, key);
    return done([`key ${key.keyId}`, `private key ${privatePath} (keep it)`, `public key ${publicPath} (trust it)`], {
      key_id: key.keyId,
      private_key: privatePath,
      public_key: publicPath,
    });
  }, ExitCode.refused);
