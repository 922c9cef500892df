import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { PassphraseSource } from "../../keys/passphrase.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { signRuleSet } from "../sign.ts";

export interface SignCommand {
  readonly entry: string;
  readonly keyPath: string;
  /** Of a sealed key; without it such a key is refused. */
  readonly passphrase?: PassphraseSource;
  /** Default: the entry's name with `.ruleset.json`, beside it. */
  readonly out?: string;
  readonly now_ms: number;
  readonly not_after_ms: number | null;
}

/** `interlock rules sign ENTRY --key KEY`: bundles, runs the examples, signs, writes one file. */
export const sign = ({ entry, keyPath, passphrase, out, now_ms, not_after_ms }: SignCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const key = await readPrivateKey(keyPath, passphrase);
    const path = out ?? `${entry.replace(/\.(?:[cm]?[jt]s|ya?ml)$/, "")}.ruleset.json`;
    const manifest = await signRuleSet({ entry, key, out: path, now_ms, not_after_ms });
    const lines = [
      `signed ${manifest.id} version ${manifest.version} by key ${key.keyId}`,
      `${manifest.sources.length} source${manifest.sources.length === 1 ? "" : "s"}, ${manifest.packages.map(({ name, version }) => `${name}@${version}`).join(", ")}`,
      `wrote ${path}`,
    ];
    return done(lines, { path, key_id: key.keyId, manifest });
  }, ExitCode.refused);
