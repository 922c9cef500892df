import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { PassphraseSource } from "../../keys/passphrase.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import type { Trust } from "../../keys/trust.ts";
import { quotedText, safeName } from "../../operator/display/safe-text.ts";
import { isoText } from "../../operator/display/time-text.ts";
import { newClaims, signToken } from "../issue-token.ts";
import { isBindable, maxBoundPrincipalBytes } from "../principal-path.ts";
import { maxAudienceBytes } from "../token.ts";
import { writeTokenFile } from "./token-file.ts";

export interface IssueCommand {
  readonly principal: string;
  readonly audience: string;
  /** Whom the daemon of this configuration believes; null where the token is for another one. */
  readonly believed: Trust | null;
  readonly life_s: number;
  readonly once: boolean;
  readonly keyPath: string;
  readonly passphrase?: PassphraseSource;
  /** Null: the token is printed. */
  readonly out: string | null;
  readonly now_ms: number;
}

/** `interlock token issue`: needs the key and nobody else, so also no daemon that runs. */
export const issue = (command: IssueCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const { principal, audience, believed, life_s, once, keyPath, passphrase, out, now_ms } = command;
    if (!isBindable(principal)) {
      const what = `a path such as acme/payments/agent42, without empty segments, at most ${maxBoundPrincipalBytes} bytes`;
      throw new Refusal(ExitCode.refused, `--principal ${quotedText(principal)} is not ${what}`);
    }
    if (audience === "" || Buffer.byteLength(audience) > maxAudienceBytes) {
      throw new Refusal(ExitCode.refused, `--audience is 1 to ${maxAudienceBytes} bytes`);
    }
    const key = await readPrivateKey(keyPath, passphrase);
    if (believed !== null && believed.standingOf("tokens", key.keyId, now_ms) !== "believed") {
      const what = `key ${key.keyId} is not believed with tokens here, so that this daemon would refuse the token`;
      const todo = "interlock keys trust PUBLIC.pub --role tokens, or name the daemon that it is for with --audience";
      throw new Refusal(ExitCode.refused, `${what}: ${todo}`);
    }
    const claims = newClaims({ principal, audience, life_s, once, now_ms });
    const token = signToken(claims, key);
    const about = { principal, audience, expires: isoText(claims.exp * 1000), once, key_id: key.keyId };
    if (out === null) return done([token], { token, ...about });
    writeTokenFile(out, token);
    const uses = once ? "for one connection" : "for any number of connections";
    return done([`wrote ${out}: ${safeName(principal)} at ${safeName(audience)} until ${about.expires}, ${uses}`], {
      path: out,
      ...about,
    });
  }, ExitCode.refused);
