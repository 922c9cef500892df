import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { PassphraseSource } from "../../keys/passphrase.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { cosignScopes, type Signed, signScopes } from "../sign.ts";
import { lastLine } from "./last-line.ts";

export interface SignCommand {
  readonly path: string;
  readonly keyPath: string;
  readonly passphrase?: PassphraseSource;
  /** Default: the source's name with `.signed.json`, beside it. */
  readonly out?: string;
  readonly now_ms: number;
}

/** `interlock scope sign FILE --key KEY`: checks it, signs it, writes one file. */
export const sign = ({ path, keyPath, passphrase, out, now_ms }: SignCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const key = await readPrivateKey(keyPath, passphrase);
    const to = out ?? `${path.replace(/\.(?:ya?ml|json)$/, "")}.signed.json`;
    return told("signed", to, key.keyId, await signScopes({ path, key, out: to, now_ms }));
  }, ExitCode.refused);

/** `interlock scope cosign FILE --key KEY`: one more signature, where the role needs several. */
export const cosign = ({ path, keyPath, passphrase, now_ms }: Omit<SignCommand, "out">): Promise<CommandResult> =>
  orRefusal(async () => {
    const key = await readPrivateKey(keyPath, passphrase);
    return told("cosigned", path, key.keyId, await cosignScopes({ path, key, out: path, now_ms }));
  }, ExitCode.refused);

const told = (did: string, path: string, key_id: string, { loaded, key_ids }: Signed): CommandResult => {
  const { id, version, not_after } = loaded.document;
  return done(
    [`${did} ${id} version ${version} by key ${key_id}, ${lastLine(not_after)}`, loaded.pin, `wrote ${path}`],
    { path, id, version, not_after, pin: loaded.pin, key_id, key_ids },
  );
};
