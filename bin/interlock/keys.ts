import { Command, InvalidArgumentError, Option } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import type { Settings } from "../../daemon/config/settings.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { accept } from "../../daemon/keys/commands/accept.ts";
import { handover } from "../../daemon/keys/commands/handover.ts";
import { list } from "../../daemon/keys/commands/list.ts";
import { revoke } from "../../daemon/keys/commands/revoke.ts";
import { seal, unseal } from "../../daemon/keys/commands/seal.ts";
import { threshold } from "../../daemon/keys/commands/threshold.ts";
import { type ListingTerms, newKey, trust } from "../../daemon/keys/commands/trust.ts";
import { maxThreshold } from "../../daemon/keys/keyring.ts";
import { type KeyRole, keyRoles } from "../../daemon/keys/roles.ts";
import { dateOf } from "./date-of.ts";
import { newPassphraseOf, passphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";

const day_ms = 86_400_000;

const several = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

const roleOption = (): Option => new Option("--role <role>", "what it may sign").choices(keyRoles);

const rolesOption = (): Option =>
  new Option("--role <role>", `what it may sign: ${keyRoles.join(", ")}; may be given more than once`).argParser(
    (value: string, before: KeyRole[] | undefined): KeyRole[] => {
      const role = keyRoles.find((one) => one === value);
      if (role === undefined) throw new InvalidArgumentError(`Allowed choices are ${keyRoles.join(", ")}.`);
      return [...(before ?? []), role];
    },
  );

/** `--days` from now, or `--not-after`. */
const lastDayOf = ({ days, notAfter }: { days?: string; notAfter?: string }, now_ms: number): number | null => {
  if (days === undefined) return dateOf("--not-after", notAfter);
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new Refusal(ExitCode.refused, "--days is a whole number of days, 1 to 99999");
  return now_ms + Number(days) * day_ms;
};

interface ListingOptions {
  readonly role?: KeyRole[];
  readonly days?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly comment?: string;
}

const termsOf = (options: ListingOptions, now_ms: number): ListingTerms => ({
  roles: options.role ?? [],
  not_before_ms: dateOf("--not-before", options.notBefore),
  not_after_ms: lastDayOf(options, now_ms),
  comment: options.comment ?? null,
});

const configured = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--keyring <file>", "keyring (default: keyring.json beside the configuration)")
    .option("--json", "one JSON object");

const listing = (command: Command): Command =>
  configured(command)
    .addOption(rolesOption().makeOptionMandatory())
    .option("--days <count>", "trusted for so many days from now")
    .option("--not-before <date>", "trusted from then on")
    .option("--not-after <date>", "trusted until then")
    .option("--comment <text>", "whose it is");

const placesOf = ({ config, keyring }: { config?: string; keyring?: string }): Promise<Settings> =>
  resolveSettings({ config, keyring }, process.env, process.cwd());

export const keysCommand = (): Command => {
  const keys = new Command("keys").description("whose signatures are believed, in which role and when");
  configured(keys.command("list"))
    .description("every key in every role, and how it stands")
    .action(async ({ json, ...flags }) => print(await list(await placesOf(flags), Date.now()), json));
  listing(signing(keys.command("new")))
    .description("make a key pair, <path> (0600) and <path>.pub, and trust it")
    .argument("<path>", "private key file to make")
    .option("--seal", "seal the private key with a passphrase")
    .action(async (path: string, { json, seal: isSealed, passphraseFile, ...options }) => {
      const request = { path, ...(isSealed ? { seal: newPassphraseOf(passphraseFile) } : {}) };
      print(await newKey(await placesOf(options), request, termsOf(options, Date.now())), json);
    });
  listing(keys.command("trust"))
    .description("trust a public key in a role")
    .argument("<public>", "public key file (PEM)")
    .action(async (path: string, { json, ...options }) =>
      print(await trust(await placesOf(options), path, termsOf(options, Date.now())), json),
    );
  configured(keys.command("threshold"))
    .description("so many signers of a role have to have signed")
    .argument("<role>", `one of ${keyRoles.join(", ")}`)
    .argument("<count>", `1 to ${maxThreshold}`)
    .action(async (role: string, count: string, { json, ...flags }) => {
      const known = keyRoles.find((one) => one === role);
      if (known === undefined) throw new Refusal(ExitCode.refused, `a role is one of ${keyRoles.join(", ")}`);
      const wanted = /^\d{1,2}$/.test(count) ? Number(count) : 0;
      if (wanted < 1 || wanted > maxThreshold) throw new Refusal(ExitCode.refused, `a count is 1 to ${maxThreshold}`);
      print(await threshold(await placesOf(flags), known, wanted), json);
    });
  configured(signing(keys.command("handover")))
    .description("whoever believes the old key believes the new one too")
    .requiredOption("--from <file>", "old private key")
    .requiredOption("--to <file>", "new public key")
    .addOption(roleOption().makeOptionMandatory())
    .option("--not-before <date>", "from then on (default: now)")
    .option("--not-after <date>", "until then (default: without end)")
    .option("--out <file>", "write the signed document here too, for others who believe the old key")
    .action(async ({ from, to, role, notBefore, notAfter, out, passphraseFile, json, ...flags }) => {
      const command = {
        from,
        to,
        role,
        now_ms: Date.now(),
        not_before_ms: dateOf("--not-before", notBefore),
        not_after_ms: dateOf("--not-after", notAfter),
        passphrase: passphraseOf(passphraseFile),
        out: out ?? null,
      };
      print(await handover(await placesOf(flags), command), json);
    });
  configured(signing(keys.command("revoke")))
    .description("what a key signed is refused from the next start or reload on")
    .argument("<key>", "its id (16 hex digits), or the file of its public key")
    .requiredOption("--reason <text>", "why, in one line")
    .option("--at <date>", "from then on (default: now)")
    .option("--successor <key_id>", "a key that it did hand over to (default: those the keyring has)", several)
    .option("--key <file>", "sign it by this private key, for others who believe that one")
    .option("--out <file>", "with --key: write the signed document here too")
    .action(async (revoked: string, { reason, at, successor, key, out, passphraseFile, json, ...flags }) => {
      const now_ms = Date.now();
      const command = {
        revoked,
        reason,
        at_ms: dateOf("--at", at) ?? now_ms - (now_ms % 1000),
        successors: successor ?? null,
        key: key ?? null,
        passphrase: passphraseOf(passphraseFile),
        out: out ?? null,
      };
      print(await revoke(await placesOf(flags), command), json);
    });
  configured(keys.command("accept"))
    .description("take a hand-over or a revocation that somebody sent")
    .argument("<file>", "signed document")
    .action(async (path: string, { json, ...flags }) => print(await accept(await placesOf(flags), path), json));
  signing(keys.command("seal"))
    .description("put a private key file under a passphrase")
    .argument("<path>", "private key file")
    .option("--json", "one JSON object")
    .action(async (path: string, { passphraseFile, json }) =>
      print(await seal({ path, passphrase: newPassphraseOf(passphraseFile) }), json),
    );
  signing(keys.command("unseal"))
    .description("take the passphrase off a private key file")
    .argument("<path>", "private key file")
    .option("--json", "one JSON object")
    .action(async (path: string, { passphraseFile, json }) =>
      print(await unseal({ path, passphrase: passphraseOf(passphraseFile) }), json),
    );
  return keys;
};
