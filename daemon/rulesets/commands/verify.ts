import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { readTrust, type TrustPlaces } from "../../keys/trust-files.ts";
import { readRuleSetFiles } from "../signed-file.ts";
import { verifyRuleSet } from "../verify.ts";

export interface VerifyCommand {
  readonly path: string;
  readonly trust: TrustPlaces;
  readonly now_ms: number;
}

/** `interlock rules verify FILE --trust KEYS`: signature, bundle, expiry. Runs nothing of it. */
export const verify = ({ path, trust, now_ms }: VerifyCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const [file] = await readRuleSetFiles([path]);
    const { manifest, digest, keyIds } = verifyRuleSet(file!, await readTrust(trust), now_ms);
    const end = manifest.not_after === null ? "without end" : `until ${manifest.not_after}`;
    return done(
      [
        `${manifest.id} version ${manifest.version}: signed by ${keyIds.join(" and ")}, made ${manifest.created}, ${end}`,
        digest,
      ],
      { manifest, digest, key_ids: keyIds },
    );
  }, ExitCode.no);
