import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair } from "../daemon/keys/private-key.ts";
import { writeKeyPair } from "../daemon/keys/write-key-pair.ts";
import { locateSdk } from "../daemon/rulesets/sdk-location.ts";
import { signRuleSet } from "../daemon/rulesets/sign.ts";
import { RawConnection } from "./replay/raw-connection.ts";

/** A daemon of its own: real process, real socket, real signature, a directory that goes with it. */
export interface RunningDaemon {
  readonly socket: string;
  readonly pid: number;
  /** Where its ledger is. */
  readonly state: string;
  /** What it wrote on stderr so far. */
  stderr(): string;
  /** Its process has not ended. */
  isAlive(): boolean;
  /** Ends it (SIGTERM, and SIGKILL after 5 s) and removes its directory. */
  stop(): Promise<void>;
}

export interface DaemonRequest {
  /** The rule set's source file; it is signed with a key that is made for this run. */
  readonly rules: string;
  /** The daemon's program. Default: the package's own build. */
  readonly program?: string | undefined;
}

const readyWithin_ms = 15_000;
const readyPoll_ms = 20;
const stopWithin_ms = 5_000;

export class DaemonDidNotStart extends Error {
  override readonly name = "DaemonDidNotStart";
}

/** The package's folder: that of package.json, whether this code runs from its sources or from the build. */
export const packageRoot = (): string => locateSdk().root;

export const builtDaemon = (): string => {
  const program = join(packageRoot(), "dist", "bin", "interlock-sidecar.js");
  if (!existsSync(program)) throw new DaemonDidNotStart(`${program} is missing; run npm run build`);
  return program;
};

/** Throws `DaemonDidNotStart`, with the daemon's stderr, when it does not serve within 15 s. */
export const startDaemon = async ({ rules, program = builtDaemon() }: DaemonRequest): Promise<RunningDaemon> => {
  // AF_UNIX paths hold some 104 bytes.
  const base = tmpdir().length <= 40 ? tmpdir() : "/tmp";
  const directory = await mkdtemp(join(base, "il-"));
  try {
    return await startIn(directory, rules, program);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
};

const startIn = async (directory: string, rules: string, program: string): Promise<RunningDaemon> => {
  const key = generateKeyPair();
  const { publicPath } = await writeKeyPair(join(directory, "key"), key);
  const signed = join(directory, "rules.ruleset.json");
  await signRuleSet({ entry: rules, key, out: signed, now_ms: Date.now(), not_after_ms: null });
  const served = join(directory, "s");
  await mkdir(served, { mode: 0o700 });
  const socket = join(served, "g.sock");
  const state = join(directory, "state");
  const child = spawn(
    process.execPath,
    [
      program,
      ...["--socket", socket, "--state", state, "--rules", signed],
      ...["--trust", publicPath, "--unknown", "allow"],
    ],
    // Nothing of this process's own configuration reaches it.
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env.PATH, HOME: directory, XDG_CONFIG_HOME: directory },
    },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const daemon: RunningDaemon = {
    socket,
    pid: child.pid ?? 0,
    state,
    stderr: () => stderr,
    isAlive: () => !hasEnded(child),
    stop: async () => {
      await stop(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
  const until = Date.now() + readyWithin_ms;
  while (!(await answers(socket))) {
    if (hasEnded(child) || Date.now() > until) {
      const how = hasEnded(child) ? `it ended with ${child.exitCode ?? child.signalCode}` : "it did not listen in 15 s";
      await stop(child);
      throw new DaemonDidNotStart(`the daemon did not start: ${how}; stderr: ${stderr.trim() || "(empty)"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, readyPoll_ms));
  }
  return daemon;
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const stop = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopWithin_ms);
  await ended;
  clearTimeout(timer);
};

/** Does somebody accept on this socket? */
export const answers = async (socket: string): Promise<boolean> => {
  try {
    (await RawConnection.open(socket)).drop();
    return true;
  } catch {
    return false;
  }
};

/** The corpora as their files hold them. */
export const readCorpusText = (): Promise<string> =>
  readFile(join(packageRoot(), "conformance", "corpus.json"), "utf8");

export const readFallbackCorpusText = (): Promise<string> =>
  readFile(join(packageRoot(), "conformance", "fallback.json"), "utf8");
