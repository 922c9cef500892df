import { type CommandResult, done } from "../daemon/commands/command-result.ts";
import { ExitCode } from "../daemon/exit-codes.ts";
import { clientTimeout_ms, misbehave, misbehaveAll } from "./misbehaving-daemon.ts";

export type MisbehaveRequest = (
  | { readonly name: string; readonly socket: string }
  /** Every misbehaviour at once, each on `<directory>/<name>.sock`. */
  | { readonly directory: string }
) & {
  /** How long the client under test waits for a verdict. Default 1000. */
  readonly timeout_ms?: number | undefined;
};

/**
 * `interlock conformance misbehave NAME --socket PATH` and `... misbehave --all DIR`: serves until `stop` is aborted.
 * `ready` is told one line when clients may connect. Exit code 2 for a name that is none or a path that cannot be served.
 */
export const conformanceMisbehave = async (
  request: MisbehaveRequest,
  stop: AbortSignal,
  ready: (line: string) => void,
): Promise<CommandResult> => {
  try {
    const timeout_ms = request.timeout_ms ?? clientTimeout_ms;
    const daemons =
      "name" in request
        ? [await misbehave(request.name, request.socket, timeout_ms)]
        : await misbehaveAll(request.directory, timeout_ms);
    ready(`misbehaving on ${"name" in request ? request.socket : `${request.directory}/NAME.sock`}`);
    await aborted(stop);
    await Promise.all(daemons.map((daemon) => daemon.close()));
    return done(["stopped"], { stopped: true });
  } catch (error) {
    const message =
      error instanceof RangeError ? error.message : `cannot serve: ${(error as NodeJS.ErrnoException).code ?? "error"}`;
    return { exitCode: ExitCode.refused, lines: [message], json: { ok: false, message } };
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    // A dead socket keeps no process alive by itself.
    const alive = setInterval(() => undefined, 60_000);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
