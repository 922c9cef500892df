import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server that tests use. Whoever started it ends it; one that was there before is left running. */
export interface Server {
  /** With user and password. */
  readonly url: string;
  end(): Promise<void>;
}

/** The user and group that a server runs as. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

const idOf = (kind: "-u" | "-g", user: string): number =>
  Number(execFileSync("id", [kind, user], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" }));

/** PostgreSQL refuses to run as root: its own user does, or the one that owns nothing. Null where we are not root. */
export const serverUser = (): RunAs | null => {
  if (process.getuid?.() !== 0) return null;
  for (const user of ["postgres", "nobody"]) {
    try {
      return { uid: idOf("-u", user), gid: idOf("-g", user) };
    } catch {
      // The next one.
    }
  }
  throw new Error(
    "there is no user that a database may run as: add the user postgres, or do not run the tests as root",
  );
};

/** A new folder that the server's user owns. */
export const serverFolder = (runAs: RunAs | null): string => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-service-"));
  if (runAs !== null) chownSync(folder, runAs.uid, runAs.gid);
  return folder;
};

/** A port of the loopback that nobody listened on a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

/**
 * The server's input is a pipe from us: it ends when we end it and when we are gone, killed included; so it does when its
 * whole group is told to end. Its folder goes with it. The exit code is the server's own.
 */
const untilInputEnds = `
folder=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
trap 'kill -INT "$server" 2>/dev/null' TERM INT HUP
{ cat <&3 >/dev/null; kill -INT "$server"; } >/dev/null 2>&1 &
exec 3<&-
wait "$server"
code=$?
while kill -0 "$server" 2>/dev/null; do wait "$server"; code=$?; done
rm -rf "$folder"
exit "$code"
`;

export interface OwnProcess {
  isAlive(): boolean;
  /** The last of what it said. */
  output(): string;
  end(): Promise<void>;
}

const keptOutput = 4_096;

/** Starts a server's program in its folder, which goes with it. */
export const startOwnProcess = (
  program: string,
  args: readonly string[],
  folder: string,
  runAs: RunAs | null,
): OwnProcess => {
  const child: ChildProcess = spawn("/bin/sh", ["-c", untilInputEnds, "sh", folder, program, ...args], {
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
    ...(runAs ?? {}),
  });
  let output = "";
  const keep = (text: string): void => {
    output = (output + text).slice(-keptOutput);
  };
  child.stdout?.setEncoding("utf8").on("data", keep);
  child.stderr?.setEncoding("utf8").on("data", keep);
  child.stdin?.on("error", () => undefined);
  let alive = true;
  const gone = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      keep(error.message);
      alive = false;
      resolve();
    });
    child.once("exit", () => {
      alive = false;
      resolve();
    });
  });
  return {
    isAlive: () => alive,
    output: () => output.trim(),
    end: async () => {
      child.stdin?.end();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Waits until a server that was just started answers. */
export const untilAnswers = async (
  name: string,
  server: OwnProcess,
  answers: () => Promise<boolean>,
): Promise<void> => {
  const last_ms = Date.now() + 30_000;
  while (!(await answers())) {
    if (server.isAlive() && Date.now() < last_ms) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    const said = server.output();
    await server.end();
    throw new Error(`${name} did not start: ${said}`);
  }
};
