import { healthFrame } from "../../wire/request-frame.ts";
import type { Settings } from "../config/settings.ts";
import { ExitCode } from "../exit-codes.ts";
import { NoDaemon, withDaemon } from "./ask-daemon.ts";
import { type CommandResult, done } from "./command-result.ts";
import { type NewestCheckpoint, newestCheckpoint } from "./newest-checkpoint.ts";
import { readStatusFile } from "./read-status-file.ts";

/** `interlock status`: asks the daemon itself how it is; exit code 1 where none answers. */
export const status = async ({ socket, state }: Settings): Promise<CommandResult> => {
  try {
    const { hello, health } = await withDaemon(socket, async ({ hello, ask }) => {
      const answer = await ask("health", healthFrame("health"));
      if (answer.kind !== "health") throw new NoDaemon(`no answer at ${socket}: it does not tell its health`);
      return { hello, health: answer.health };
    });
    const written = readStatusFile(state);
    // The socket may be another user's home's, or named by hand: what this state directory holds is then of another daemon.
    const isElsewhere = written?.socket !== socket;
    const { pid = null, self_protection = null, unsigned = null } = (isElsewhere ? null : written) ?? {};
    const checkpoint = isElsewhere ? null : newestCheckpoint(state, Date.now());
    const { count, ok, message } = health.reload;
    const reload =
      count === 0
        ? "never"
        : ok
          ? `${count} times, the last one took`
          : `${count} times, the last one was refused: ${message}`;
    const lines = [
      `${hello.daemon} is ${health.status} at ${socket}${pid === null ? "" : `, process ${pid}`}`,
      `rules ${health.rules}, version ${health.rules_version}`,
      `receipts ${health.receipts}; up ${health.uptime_s} s; reloaded ${reload}`,
      isElsewhere
        ? `its process and checkpoints are not told: ${state} is not its state directory`
        : checkpointLine(checkpoint, health.receipts),
    ];
    if (unsigned !== null) lines.push(`no checkpoint can be made: ${unsigned}`);
    if (health.status === "stopped")
      lines.push("everything is blocked until it is resumed: interlock stops tells by whom");
    if (self_protection === "off") lines.push("self-protection is off: a guarded process may alter what guards it");
    const result = done(lines, { daemon: hello.daemon, socket, pid, self_protection, checkpoint, unsigned, ...health });
    return health.status === "serving"
      ? result
      : { ...result, exitCode: ExitCode.no, json: { ...result.json, ok: false } };
  } catch (error) {
    if (!(error instanceof NoDaemon)) throw error;
    return { exitCode: ExitCode.no, lines: [error.message], json: { ok: false, message: error.message } };
  }
};

const checkpointLine = (checkpoint: NewestCheckpoint | null, receipts: number): string => {
  if (checkpoint === null) return "no checkpoint yet";
  const { size, age_s } = checkpoint;
  return `checkpoint of ${size} receipts, ${age_s} s old; ${Math.max(0, receipts - size)} receipts after it`;
};
