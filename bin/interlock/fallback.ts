import { Command, Option } from "commander";
import { placesFor } from "../../daemon/config/places.ts";
import { check } from "../../daemon/fallback/commands/check.ts";
import { explain } from "../../daemon/fallback/commands/explain.ts";
import { sign } from "../../daemon/fallback/commands/sign.ts";
import { passphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";

export const fallbackCommand = (): Command => {
  const fallback = new Command("fallback").description(
    "check, sign and explain what clients decide by while the daemon is away",
  );
  fallback
    .command("check")
    .description("would a policy be signed, and what does it say")
    .argument("<file>", "policy (YAML or JSON), or the signed file that it became")
    .option("--json", "one JSON object")
    .action(async (path: string, { json }) => print(await check(path, Date.now()), json));
  signing(fallback.command("sign"))
    .description("sign a policy into one file, as a daemon with --fallback-policy does by itself")
    .argument("<file>", "policy (YAML or JSON)")
    .option("--key <file>", "private key of the role fallback (default: keys/fallback.key in ~/.interlock)")
    .option("--out <file>", "signed file (default: beside the policy, .signed)")
    .option("--json", "one JSON object")
    .action(async (path: string, { key, passphraseFile, out, json }) => {
      const keyPath: string = key ?? placesFor(process.env).fallbackKey;
      const passphrase = passphraseOf(passphraseFile);
      print(await sign({ path, keyPath, passphrase, now_ms: Date.now(), ...(out === undefined ? {} : { out }) }), json);
    });
  fallback
    .command("explain")
    .description("what a client would decide of one call, and by which rule; answers no where it blocks")
    .argument("<file>", "policy (YAML or JSON), or the signed file that it became")
    .requiredOption("--action <name>", "such as read_file")
    .option("--args <json>", "arguments: a JSON object", "{}")
    .option("--principal <name>", "who asks")
    .addOption(new Option("--phase <phase>", "a call, or its result").choices(["call", "result"]).default("call"))
    .option("--json", "one JSON object")
    .action(async (path: string, { action, args, principal, phase, json }) =>
      print(await explain({ path, action, args, phase, principal: principal ?? null, now_ms: Date.now() }), json),
    );
  return fallback;
};
