import { randomBytes } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { type RunningDaemon, startDaemon } from "../../conformance/running-daemon.ts";
import { escapeRules } from "./rules.ts";
import { blockedAddress, startTargets, type Targets } from "./targets.ts";

const passwords = "/etc/passwd";

/** What all attacks of a run share: the protected files, the daemon that protects them, and one that allows everything. */
export interface Stage {
  readonly home: string;
  /** The Node that runs the attacks. */
  readonly node: string;
  /** A protected stand-in. */
  readonly secret: string;
  /** What only the stand-ins hold, and the first line of /etc/passwd. */
  readonly secrets: readonly string[];
  readonly daemon: RunningDaemon;
  readonly socket: string;
  /** For each of the runners that work at a time. */
  readonly targets: readonly Targets[];
  /** What an attack is told: plain data. `at` counts the attacks: they take turns in which file they read. */
  tell(at: number, runner: number, scratch: string): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

export const preloads = {
  import: ["--import", new URL("../../client-node/dist/client-node/intercept/esm-hook.js", import.meta.url).href],
  require: [
    "--require",
    fileURLToPath(new URL("../../client-node/dist/client-node/intercept/require-hook.cjs", import.meta.url)),
  ],
} as const;

export const makeStage = async (runners: number, node: string): Promise<Stage> => {
  const home = realpathSync(mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-")));
  const secret = `k${randomBytes(16).toString("hex")}`;
  const guarded = join(home, "guarded");
  const files = makeFiles(home, guarded, secret);
  const targets = await Promise.all(Array.from({ length: runners }, startTargets));
  const rules = join(home, "rules.ts");
  const ports = targets.map(({ blockedPort }) => blockedPort);
  writeFileSync(rules, escapeRules({ folder: guarded, files: [passwords], ports, address: blockedAddress }));
  const daemon = await startDaemon({ rules });
  const lax = join(home, "lax.ts");
  writeFileSync(
    lax,
    escapeRules({ folder: join(home, "none"), files: [join(home, "no")], ports: [9], address: "::2" }),
  );
  const fake = await startDaemon({ rules: lax });
  return {
    home,
    node,
    secret: files.secret,
    secrets: [secret, (readFileSync(passwords, "utf8").split("\n")[0] as string).trim()],
    daemon,
    socket: daemon.socket,
    targets,
    tell(at, runner, scratch) {
      const { blockedPort, openPort } = targets[runner] as Targets;
      const isStandIn = at % 2 === 0;
      return {
        ...files,
        file: isStandIn ? files.secret : passwords,
        symlink: isStandIn ? files.secretLink : files.passwordsLink,
        scratch,
        node,
        id: "/usr/bin/id",
        port: blockedPort,
        open: openPort,
        address: blockedAddress,
        fakeSocket: fake.socket,
        requireHook: preloads.require[1],
        client: new URL("../../client-node/dist/client-node/index.js", import.meta.url).href,
      };
    },
    async close() {
      for (const each of targets) each.close();
      await Promise.all([daemon.stop(), fake.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** The stand-ins, and the other names that lead to them, made before any attack runs. */
const makeFiles = (home: string, folder: string, secret: string) => {
  mkdirSync(folder);
  const at = (name: string): string => join(home, name);
  const files = {
    folder,
    secret: join(folder, "secret.json"),
    environment: join(folder, "secret.env"),
    database: join(folder, "secret.db"),
    /** In a folder beside: its links lead to the protected one. */
    secretLink: at("plain.json"),
    passwordsLink: at("plain.txt"),
    folderLink: at("plain"),
    environmentLink: at("plain.env"),
    databaseLink: at("plain.db"),
    hardLink: at("other.json"),
    idLink: at("plain-program"),
  };
  writeFileSync(files.secret, `${JSON.stringify({ secret })}\n`);
  writeFileSync(files.environment, `ESCAPE_SECRET=${secret}\n`);
  const database = new Database(files.database);
  database.exec("create table t (secret text)");
  database.prepare("insert into t values (?)").run(secret);
  database.close();
  symlinkSync(files.secret, files.secretLink);
  symlinkSync(passwords, files.passwordsLink);
  symlinkSync(folder, files.folderLink);
  symlinkSync(files.environment, files.environmentLink);
  symlinkSync(files.database, files.databaseLink);
  symlinkSync("/usr/bin/id", files.idLink);
  linkSync(files.secret, files.hardLink);
  return files;
};
