import { setTimeout as sleep } from "node:timers/promises";
import { healthFrame } from "../../wire/request-frame.ts";
import type { Settings } from "../config/settings.ts";
import { ExitCode } from "../exit-codes.ts";
import type { StatusFile } from "../status-file.ts";
import { NoDaemon, withDaemon } from "./ask-daemon.ts";
import { type CommandResult, done } from "./command-result.ts";
import { readStatusFile } from "./read-status-file.ts";

const poll_ms = 50;
const deadline_ms = 30_000;
/** Between a daemon's start and its file lies the loading of its rules. */
const startTolerance_ms = 30_000;

const refused = (message: string): CommandResult => ({
  exitCode: ExitCode.no,
  lines: [message],
  json: { ok: false, message },
});

const healthOf = (socket: string) =>
  withDaemon(socket, async ({ ask }) => {
    const answer = await ask("health", healthFrame("health"));
    if (answer.kind !== "health") throw new NoDaemon(`no answer at ${socket}: it does not tell its health`);
    return answer.health;
  });

/**
 * Is it the daemon that answers who wrote the file? A killed one leaves its file behind, and its process id may be
 * anybody's by now, to whom SIGHUP is a request to end. Both times are of one clock, so that a change of it cancels out.
 */
const isTheOne = ({ started }: StatusFile, uptime_s: number): boolean =>
  Math.abs(Date.parse(started) - (Date.now() - uptime_s * 1000)) < startTolerance_ms;

/** `interlock rules reload`: asks the running daemon to read its rule sets again, and waits for what it says. */
export const reload = async ({ socket, state }: Settings): Promise<CommandResult> => {
  const status = readStatusFile(state);
  if (status === null) return refused(`no daemon keeps its ledger in ${state}; start interlock-sidecar`);
  try {
    const before = await healthOf(status.socket);
    if (!isTheOne(status, before.uptime_s)) {
      return refused(`${state} was left by a daemon that is gone; give the --state of the one at ${status.socket}`);
    }
    process.kill(status.pid, "SIGHUP");
    for (const until_ms = Date.now() + deadline_ms; Date.now() < until_ms; await sleep(poll_ms)) {
      const now = await healthOf(status.socket);
      if (now.reload.count === before.reload.count) continue;
      if (!now.reload.ok) return refused(`the rules stay as they were: ${now.reload.message}`);
      return done([`rules ${now.rules}, version ${now.rules_version}, in force`], {
        rules: now.rules,
        rules_version: now.rules_version,
        before: before.rules,
      });
    }
    return refused(`the daemon at ${socket} did not reload within ${deadline_ms / 1000} s`);
  } catch (error) {
    if (error instanceof NoDaemon) return refused(error.message);
    if ((error as NodeJS.ErrnoException).code === "ESRCH")
      return refused(`no process ${status.pid}: start interlock-sidecar`);
    throw error;
  }
};
