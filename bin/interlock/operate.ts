import { userInfo } from "node:os";
import { Command } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { readTokenFile } from "../../daemon/identity/commands/token-file.ts";
import { keygen } from "../../daemon/keys/commands/keygen.ts";
import { newPassphraseOf, signing } from "./passphrase.ts";
import { print } from "./print.ts";

const list = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

/** An account without a name, such as a container's, is no reason to set nothing up. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
};

export const initCommand = (): Command =>
  new Command("init")
    .description("make keys, configuration and signed starter rules; overwrites nothing")
    .option("--home <directory>", "where (default: ~/.interlock, or INTERLOCK_HOME)")
    .option(
      "--root <directory>",
      "a directory the agent may work in (default: this one); may be given more than once",
      list,
    )
    .option("--json", "one JSON object")
    .action(async ({ home, root, json }) => {
      const request = {
        home: home ?? null,
        roots: root ?? [process.cwd()],
        env: process.env,
        user: userName(),
        now_ms: Date.now(),
      };
      const { init } = await import("../../daemon/commands/init.ts");
      print(await init(request), json);
    });

export const keygenCommand = (): Command =>
  signing(new Command("keygen"))
    .description("make an Ed25519 key pair: <path> (0600) and <path>.pub; overwrites nothing")
    .argument("<path>", "private key file to make")
    .option("--seal", "seal the private key with a passphrase")
    .option("--json", "one JSON object")
    .action(async (path: string, { seal, passphraseFile, json }) =>
      print(await keygen({ path, ...(seal ? { seal: newPassphraseOf(passphraseFile) } : {}) }), json),
    );

const asking = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--socket <path>", "unix socket")
    .option("--state <directory>", "state directory")
    .option("--json", "one JSON object");

export const statusCommand = (): Command =>
  asking(new Command("status"))
    .description("ask the daemon how it is; exit code 1 where it does not serve")
    .action(async ({ json, ...flags }) => {
      const { status } = await import("../../daemon/commands/status.ts");
      print(await status(await resolveSettings(flags, process.env, process.cwd())), json);
    });

export const doctorCommand = (): Command =>
  asking(new Command("doctor"))
    .description("send calls that must be denied through the real socket; exit code 1 where one is not")
    .option("--token-file <file>", "the token to ask with, where the daemon asks for one")
    .action(async ({ json, tokenFile, ...flags }) => {
      const token = tokenFile === undefined ? null : readTokenFile(tokenFile);
      const { doctor } = await import("../../daemon/commands/doctor.ts");
      print(await doctor(await resolveSettings(flags, process.env, process.cwd()), Date.now(), token), json);
    });
