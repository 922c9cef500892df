import { Command, Option } from "commander";
import { type Flags, resolveSettings } from "../../daemon/config/resolve.ts";
import type { Settings } from "../../daemon/config/settings.ts";
import { ExitCode } from "../../daemon/exit-codes.ts";
import type { Daemon } from "../../daemon/serve.ts";
import { refusalOf } from "../../daemon/start-refusal.ts";
import { embeddedStore, printableAddress } from "../../daemon/store/postgres/address.ts";
import type { Engine } from "../../daemon/supervisor/engine-thread.ts";
import { daemonVersion } from "../../daemon/version.ts";

const say = (line: string): void => {
  process.stderr.write(`interlock-sidecar: ${line}\n`);
};

// Whoever read its lines may be gone; the daemon is not.
process.stderr.on("error", () => undefined);

const fail = (error: unknown): never => {
  const { message, exitCode } = refusalOf(error);
  say(message);
  process.exit(exitCode);
};

const list = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

const receiptsLine = ({ store, state, durability }: Settings): string =>
  store === embeddedStore
    ? `${state}, durable against a crash of the ${durability === "power" ? "machine" : "process"}`
    : `${printableAddress(store)}, durable once PostgreSQL has committed them`;

const program = new Command("interlock-sidecar")
  .description("Serves verdicts over a private unix socket: may this call run now?")
  .version(daemonVersion)
  .option("--config <file>", "configuration (default: interlock.yaml in ~/.interlock)")
  .option("--socket <path>", "unix socket to serve")
  .option("--state <directory>", "where the ledger is kept")
  .option("--store <address>", "sqlite (default), or postgres://user@host/database")
  .option("--rules <file>", "signed rule set; may be given more than once, in the order of judging", list)
  .option("--trust <file>", "public keys whose signatures are believed; may be given more than once", list)
  .option("--keyring <file>", "whose signatures are believed, in which role and when")
  .option("--scope-document <file>", "signed scope document: what each principal may do")
  .option("--fallback-policy <file>", "policy that clients decide by while the daemon is away: signed to <file>.signed")
  .option("--fallback-key <file>", "private key that signs it (default: keys/fallback.key in ~/.interlock)")
  .addOption(new Option("--unknown <what>", "a call that no rule covers").choices(["allow", "escalate", "block"]))
  .addOption(new Option("--durability <what>", "what a receipt survives").choices(["process", "power"]))
  .option("--coordination <url>", "what daemons agree on claims and limits with: local, or redis://host:port/db")
  .option("--deployment-key <file>", "the key that all daemons of a deployment share")
  .option(
    "--check",
    "verify configuration, rules and examples, print how many rules were loaded, and exit; whether a newer version was served before, only a start and a reload know",
  )
  // One line, the hint of a misspelled flag included.
  .configureOutput({
    outputError: (text) =>
      say(
        text
          .trim()
          .replace(/^error: /, "")
          .replace(/\s*\n\s*/g, " "),
      ),
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? ExitCode.done : ExitCode.refused));

interface Named {
  check?: true;
  deploymentKey?: string;
  fallbackKey?: string;
  fallbackPolicy?: string;
  scopeDocument?: string;
}

/**
 * The daemon by its command line: serves until it is told to end, or answers what was asked and exits. `engine` gives the thread
 * that was begun for it, or begins it. Whoever calls has set the process's mask.
 */
export const runSidecar = async (engine: () => Engine): Promise<void> => {
  program.parse();
  const { check, deploymentKey, fallbackKey, fallbackPolicy, scopeDocument, ...others } = program.opts<Flags & Named>();
  const flags: Flags = {
    ...others,
    deployment_key: deploymentKey,
    fallback_key: fallbackKey,
    fallback_policy: fallbackPolicy,
    scope_document: scopeDocument,
  };

  try {
    const cwd = process.cwd();
    const settingsNow = () => resolveSettings(flags, process.env, cwd);
    if (check) {
      const { checkRules } = await import("../../daemon/serve.ts");
      say(await checkRules(await settingsNow()));
      process.exit(ExitCode.done);
    }
    const [settings, { serve }] = await Promise.all([settingsNow(), import("../../daemon/serve.ts")]);
    let daemon: Daemon | null = null;
    let stopAsked = false;
    const stop = (): void => {
      stopAsked = true;
      daemon?.stop().then(() => process.exit(ExitCode.done), fail);
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    let stopAllAsked = false;
    process.on("SIGUSR2", () => {
      stopAllAsked = true;
      daemon?.stopAll();
    });
    process.on("SIGHUP", () => {
      daemon?.reload(settingsNow).then(say, fail);
    });
    daemon = await serve(settings, engine(), { log: say, failed: fail });
    say(`listening on ${settings.socket}`);
    say(`rules: ${settings.rules.join(", ")}`);
    if (settings.scope_document !== null) say(`scope document: ${settings.scope_document}`);
    say(`receipts: ${receiptsLine(settings)}`);
    say(`a call that no rule covers: ${settings.unknown}; principals: ${settings.principals}`);
    if (settings.capture_days > 0) say(`calls are captured, sealed, and kept for ${settings.capture_days} days`);
    if (settings.self_protection === "off") {
      say(`WARNING: self_protection is off in ${settings.file}: a guarded process may alter what guards it`);
    }
    if (stopAllAsked) daemon.stopAll();
    if (stopAsked) stop();
  } catch (error) {
    fail(error);
  }
};
