import { readFileSync } from "node:fs";
import { Command } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { audienceHere } from "../../daemon/identity/audience.ts";
import { inspect } from "../../daemon/identity/commands/inspect.ts";
import { issue } from "../../daemon/identity/commands/issue.ts";
import { lifeOf } from "../../daemon/identity/commands/life.ts";
import { readTokenFile } from "../../daemon/identity/commands/token-file.ts";
import { readTrust } from "../../daemon/keys/trust-files.ts";
import { sayAwaited } from "./awaited.ts";
import { passphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";

const of = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--audience <name>", "the daemon that it is for (default: the one of this configuration)")
    .option("--json", "one JSON object");

export const tokenCommand = (): Command => {
  const token = new Command("token").description("tokens that bind a client's connection to a principal");
  of(signing(token.command("issue")))
    .description("sign a token; the daemon need not run")
    .requiredOption("--principal <path>", "who acts, such as acme/payments/agent42")
    .option("--ttl <span>", "how long it stands: 90s, 15m, 8h; at most 24h", "15m")
    .option("--once", "it binds one connection, once")
    .option("--key <file>", "private key of the role tokens (default: keys/tokens.key)")
    .option("--out <file>", "write it there, mode 0600, in place of what is there (default: print it)")
    .action(async ({ principal, ttl, once, key, out, audience, passphraseFile, json, ...flags }) => {
      const settings = await resolveSettings(flags, process.env, process.cwd());
      print(
        await issue({
          principal,
          audience: audience ?? (await audienceHere(settings)),
          believed: audience === undefined ? await readTrust(settings) : null,
          life_s: lifeOf(ttl),
          once: once === true,
          keyPath: key ?? settings.tokenKey,
          passphrase: passphraseOf(passphraseFile),
          out: out ?? null,
          now_ms: Date.now(),
        }),
        json,
      );
    });
  of(token.command("inspect"))
    .description("what a token says, and whether the daemon would take it; exit code 1 where not")
    .argument("[file]", "file with the token (default: standard input)")
    .action(async (file: string | undefined, { audience, json, ...flags }) => {
      const settings = await resolveSettings(flags, process.env, process.cwd());
      const terms = {
        trust: await readTrust(settings),
        audience: audience ?? (await audienceHere(settings)),
        skew_ms: settings.clock_skew_s * 1000,
        now_ms: Date.now(),
      };
      if (file === undefined) sayAwaited("the token");
      const text = file === undefined ? readFileSync(0, "latin1").replace(/\r?\n$/, "") : readTokenFile(file);
      print(inspect(text, terms), json);
    });
  return token;
};
