import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { PassphraseSource } from "../../keys/passphrase.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { writeFileAtomically } from "../../store/write-atomically.ts";
import { readExistingPolicyFile, readPolicyFile } from "../read-file.ts";
import { PolicyRefused } from "../refusal.ts";
import { signPolicy } from "../sign-policy.ts";
import { readPolicy } from "../source.ts";

export interface SignCommand {
  readonly path: string;
  readonly keyPath: string;
  /** Of a sealed key; without it such a key is refused. */
  readonly passphrase?: PassphraseSource;
  /** Default: beside the policy, with `.signed` after its name. */
  readonly out?: string;
  readonly now_ms: number;
}

/** `interlock fallback sign FILE --key KEY`: what a daemon would publish, made where the key is. */
export const sign = ({ path, keyPath, passphrase, out, now_ms }: SignCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const to = out ?? `${path}.signed`;
    const read = readPolicy((await readExistingPolicyFile(path)).toString("utf8"), path, now_ms);
    const key = await readPrivateKey(keyPath, passphrase);
    const { id, version, keyId, text } = signPolicy(read, key, await readPolicyFile(to), path, now_ms);
    try {
      await writeFileAtomically(to, text, 0o644);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new PolicyRefused("policy_unreadable", `${to} cannot be written (${code ?? "unknown error"})`);
    }
    return done([`signed ${id} version ${version} by key ${keyId}`, `wrote ${to}`], {
      path: to,
      id,
      version,
      key_id: keyId,
    });
  }, ExitCode.refused);
