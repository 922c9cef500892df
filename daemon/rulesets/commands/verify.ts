import { ExitCode } from "../../exit-codes.ts";
import { readTrust } from "../../keys/read-trusted-keys.ts";
import { readRuleSetFiles } from "../signed-file.ts";
import { verifyRuleSet } from "../verify.ts";
import { type CommandResult, done, orRefusal } from "./command-result.ts";

export interface VerifyCommand {
  readonly path: string;
  readonly trustPaths: readonly string[];
  readonly now_ms: number;
}

/** `interlock rules verify FILE --trust KEYS`: signature, bundle, expiry. Runs nothing of it. */
export const verify = ({ path, trustPaths, now_ms }: VerifyCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const trusted = await readTrust(trustPaths);
    const [file] = await readRuleSetFiles([path]);
    const { manifest, digest, keyId } = verifyRuleSet(file!, trusted, now_ms);
    const end = manifest.not_after === null ? "without end" : `until ${manifest.not_after}`;
    return done(
      [`${manifest.id} version ${manifest.version}: signed by ${keyId}, made ${manifest.created}, ${end}`, digest],
      { manifest, digest, key_id: keyId },
    );
  }, ExitCode.no);
