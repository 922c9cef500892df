import { join } from "node:path";
import { type CommandResult, done } from "../daemon/commands/command-result.ts";
import { ExitCode } from "../daemon/exit-codes.ts";
import { DaemonDidNotStart, packageRoot, type RunningDaemon, startDaemon } from "./running-daemon.ts";

/**
 * `interlock conformance serve [--effects]`: a daemon with the corpus's rules (or those for native effects), signed with
 * a key that is made for it, until `stop` is aborted. `ready` is told its socket. For replayers in other languages.
 */
export const conformanceServe = async (
  rules: "corpus" | "effects",
  stop: AbortSignal,
  ready: (socket: string) => void,
): Promise<CommandResult> => {
  let daemon: RunningDaemon;
  try {
    const file = rules === "corpus" ? "rules.ts" : "effect-rules.ts";
    daemon = await startDaemon({ rules: join(packageRoot(), "conformance", file) });
  } catch (error) {
    if (!(error instanceof DaemonDidNotStart)) throw error;
    return { exitCode: ExitCode.refused, lines: [error.message], json: { ok: false, message: error.message } };
  }
  ready(daemon.socket);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  const alive = daemon.isAlive();
  await daemon.stop();
  if (alive) return done(["stopped"], { stopped: true });
  const message = `the daemon ended by itself: ${daemon.stderr().trim()}`;
  return { exitCode: ExitCode.no, lines: [message], json: { ok: false, message } };
};
