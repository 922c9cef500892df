import { Command } from "commander";
import { placesFor } from "../../daemon/config/places.ts";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { cosign } from "../../daemon/rulesets/commands/cosign.ts";
import { list } from "../../daemon/rulesets/commands/list.ts";
import { sign } from "../../daemon/rulesets/commands/sign.ts";
import { test } from "../../daemon/rulesets/commands/test.ts";
import { verify } from "../../daemon/rulesets/commands/verify.ts";
import { dateOf } from "./date-of.ts";
import { packsCommand } from "./packs.ts";
import { passphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";
import { trustOf } from "./trust.ts";

export const rulesCommand = (): Command => {
  const rules = new Command("rules").description("sign, verify, test, list and reload rule sets; the standard packs");
  signing(rules.command("sign"))
    .description("bundle a rule module, run its examples, and sign it into one file")
    .argument("<entry>", "rule module, such as rules/starter.ts")
    .option("--key <file>", "private key (default: the one that init made)")
    .option("--out <file>", "signed file (default: beside the entry, .ruleset.json)")
    .option("--not-after <date>", "refused by daemons from then on")
    .option("--json", "one JSON object")
    .action(async (entry: string, { key, passphraseFile, out, notAfter, json }) => {
      const keyPath: string = key ?? placesFor(process.env).signingKey;
      const not_after_ms = dateOf("--not-after", notAfter);
      print(
        await sign({
          entry,
          keyPath,
          passphrase: passphraseOf(passphraseFile),
          now_ms: Date.now(),
          not_after_ms,
          ...(out === undefined ? {} : { out }),
        }),
        json,
      );
    });
  signing(rules.command("cosign"))
    .description("add a signature to a signed file, in place; runs nothing of it")
    .argument("<file>", "signed rule set")
    .option("--key <file>", "private key (default: the one that init made)")
    .option("--json", "one JSON object")
    .action(async (path: string, { key, passphraseFile, json }) => {
      const keyPath: string = key ?? placesFor(process.env).signingKey;
      print(await cosign({ path, keyPath, passphrase: passphraseOf(passphraseFile), now_ms: Date.now() }), json);
    });
  rules
    .command("verify")
    .description("check signature, contents and expiry of a signed file; runs nothing of it")
    .argument("<file>", "signed rule set")
    .option("--trust <file>", "public keys to believe (default: the configured ones)")
    .option("--config <file>", "configuration")
    .option("--json", "one JSON object")
    .action(async (path: string, { trust, config, json }) => {
      print(await verify({ path, trust: await trustOf(trust, config), now_ms: Date.now() }), json);
    });
  rules
    .command("test")
    .description("run every example of a rule module, or of a signed file")
    .argument("<path>", "rule module or signed rule set")
    .option("--trust <file>", "public keys to believe, for a signed rule set (default: the configured ones)")
    .option("--json", "one JSON object")
    .action(async (path: string, { trust, json }) => {
      const signed = trust !== undefined || path.endsWith(".json");
      print(
        await test({ path, now_ms: Date.now(), ...(signed ? { trust: await trustOf(trust, undefined) } : {}) }),
        json,
      );
    });
  rules
    .command("list")
    .description("what is in a signed file: rules, actions, phases, examples")
    .argument("<file>", "signed rule set")
    .option("--trust <file>", "public keys to believe (default: the configured ones)")
    .option("--config <file>", "configuration")
    .option("--json", "one JSON object")
    .action(async (path: string, { trust, config, json }) => {
      print(await list({ path, trust: await trustOf(trust, config), now_ms: Date.now() }), json);
    });
  rules
    .command("reload")
    .description("have the running daemon read its rule sets again; what it serves stays when they are refused")
    .option("--config <file>", "configuration")
    .option("--socket <path>", "unix socket")
    .option("--state <directory>", "state directory")
    .option("--json", "one JSON object")
    .action(async ({ json, ...flags }) => {
      const { reload } = await import("../../daemon/commands/reload.ts");
      print(await reload(await resolveSettings(flags, process.env, process.cwd())), json);
    });
  rules.addCommand(packsCommand());
  return rules;
};
