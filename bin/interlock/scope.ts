import { Command } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import type { CandidateRequest } from "../../daemon/scopes/candidate.ts";
import { check } from "../../daemon/scopes/commands/check.ts";
import { diff } from "../../daemon/scopes/commands/diff.ts";
import { explain } from "../../daemon/scopes/commands/explain.ts";
import { cosign, sign } from "../../daemon/scopes/commands/sign.ts";
import { passphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";
import { trustOf } from "./trust.ts";

const candidate = (path: string, { config }: { readonly config?: string }): CandidateRequest => ({
  path,
  trust: () => trustOf(undefined, config),
  now_ms: Date.now(),
});

const fileHelp = "scope document: as it is written (YAML, JSON), or signed";
const configured = (command: Command): Command =>
  command
    .option("--config <file>", "configuration, which says whose signatures are believed")
    .option("--json", "one JSON object");

export const scopeCommand = (): Command => {
  const scope = new Command("scope").description("check, explain, compare and sign what each principal may do");
  configured(scope.command("check"))
    .description("does a document hold together; exit code 1 with each problem")
    .argument("<file>", fileHelp)
    .action(async (path: string, { json, ...options }) => print(await check(candidate(path, options)), json));
  configured(scope.command("explain"))
    .description("what holds for a principal, and where each value comes from; exit code 1 where it is blocked")
    .argument("<principal>", "such as acme/payments/agent42")
    .option("--document <file>", `${fileHelp} (default: the configured one)`)
    .action(async (principal: string, { document, json, ...options }) => {
      const path = document ?? (await resolveSettings(options, process.env, process.cwd())).scope_document;
      if (path === null)
        throw new Refusal(ExitCode.refused, "no scope_document is configured; name one with --document");
      print(await explain({ ...candidate(path, options), principal }), json);
    });
  configured(scope.command("diff"))
    .description("what each principal gains and loses; exit code 1 where one gains")
    .argument("<old>", fileHelp)
    .argument("<new>", fileHelp)
    .action(async (before: string, after: string, { json, ...options }) =>
      print(await diff({ before: candidate(before, options), after: candidate(after, options) }), json),
    );
  signing(scope.command("sign"))
    .description("check a document and sign it into one file")
    .argument("<file>", "scope document as it is written (YAML, JSON)")
    .requiredOption("--key <file>", "private key of the role scopes")
    .option("--out <file>", "signed file (default: beside the document, .signed.json)")
    .option("--json", "one JSON object")
    .action(async (path: string, { key, out, passphraseFile, json }) =>
      print(
        await sign({
          path,
          keyPath: key,
          passphrase: passphraseOf(passphraseFile),
          now_ms: Date.now(),
          ...(out === undefined ? {} : { out }),
        }),
        json,
      ),
    );
  signing(scope.command("cosign"))
    .description("add a signature to a signed document")
    .argument("<file>", "signed scope document; it is written anew")
    .requiredOption("--key <file>", "private key of the role scopes")
    .option("--json", "one JSON object")
    .action(async (path: string, { key, passphraseFile, json }) =>
      print(await cosign({ path, keyPath: key, passphrase: passphraseOf(passphraseFile), now_ms: Date.now() }), json),
    );
  return scope;
};
