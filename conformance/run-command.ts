import { type CommandResult, done } from "../daemon/commands/command-result.ts";
import { ExitCode } from "../daemon/exit-codes.ts";
import { LineClientFailed } from "./line/line-client.ts";
import { type ConformanceTarget, runConformance } from "./run.ts";
import { DaemonDidNotStart } from "./running-daemon.ts";

/** `interlock conformance run [--socket PATH] [--client COMMAND]`: exit code 0 where everything passed, 1 where not, 2 where no daemon or client starts. */
export const conformanceRun = async (target: ConformanceTarget): Promise<CommandResult> => {
  try {
    const report = await runConformance(target);
    const { passed, failed, elapsed_ms, stderr } = report;
    const unasked = target.fallback === "left_out" ? "; fallback.json was left out" : "";
    const summary = `${passed} passed, ${failed.length} failed in ${(elapsed_ms / 1000).toFixed(1)} s${unasked}`;
    if (failed.length === 0) return done([summary], { ...report });
    const lines = failed.map(({ kind, name, problem }) => `FAIL ${kind} ${name}: ${problem}`);
    const told = stderr === "" ? [] : ["the daemon's stderr:", ...stderr.trimEnd().split("\n").slice(-20)];
    return { exitCode: ExitCode.no, lines: [...lines, ...told, summary], json: { ok: false, ...report } };
  } catch (error) {
    if (!(error instanceof DaemonDidNotStart || error instanceof LineClientFailed)) throw error;
    return { exitCode: ExitCode.refused, lines: [error.message], json: { ok: false, message: error.message } };
  }
};
