import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { PassphraseSource } from "../../keys/passphrase.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { cosignRuleSet } from "../cosign.ts";
import { readRuleSetFiles } from "../signed-file.ts";

export interface CosignCommand {
  readonly path: string;
  readonly keyPath: string;
  readonly passphrase?: PassphraseSource;
  readonly now_ms: number;
}

/** `interlock rules cosign FILE --key KEY`: one more signature under what somebody else built. */
export const cosign = ({ path, keyPath, passphrase, now_ms }: CosignCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const [file] = await readRuleSetFiles([path]);
    const key = await readPrivateKey(keyPath, passphrase);
    const { verified, key_ids } = await cosignRuleSet(file!, key, now_ms);
    const { manifest, digest } = verified;
    return done(
      [
        `cosigned ${manifest.id} version ${manifest.version} by key ${key.keyId}`,
        digest,
        `signatures of ${key_ids.length} key${key_ids.length === 1 ? "" : "s"}: ${key_ids.join(", ")}`,
      ],
      { path, id: manifest.id, version: manifest.version, digest, key_id: key.keyId, key_ids },
    );
  }, ExitCode.refused);
