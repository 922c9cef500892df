import { type CommandResult, done } from "../daemon/commands/command-result.ts";
import { ExitCode } from "../daemon/exit-codes.ts";
import { LineClient, LineClientFailed } from "./line/line-client.ts";
import { NodeTaskClient } from "./line/node-task-client.ts";
import { taskClientUnderTest } from "./line/under-test.ts";
import { type MisbehaviourOutcome, runMisbehaviours } from "./run-misbehaving.ts";

export interface ConformanceClientRequest {
  /** The command of a client that speaks the line protocol. Default: the Node client. */
  readonly client?: string | undefined;
}

/** `interlock conformance client [--client COMMAND]`: drives a client through every misbehaviour; exit code 1 where it fails one, 2 where it does not run. */
export const conformanceClient = async (request: ConformanceClientRequest): Promise<CommandResult> => {
  const client = request.client === undefined ? new NodeTaskClient() : new LineClient(request.client);
  try {
    return report(await runMisbehaviours(taskClientUnderTest(client)));
  } catch (error) {
    if (!(error instanceof LineClientFailed)) throw error;
    return { exitCode: ExitCode.refused, lines: [error.message], json: { ok: false, message: error.message } };
  } finally {
    await client.close();
  }
};

const report = (outcomes: readonly MisbehaviourOutcome[]): CommandResult => {
  const failed = outcomes.filter(({ problem }) => problem !== null);
  const summary = `${outcomes.length - failed.length} passed, ${failed.length} failed`;
  if (failed.length === 0) return done([summary], { passed: outcomes.length, failed });
  return {
    exitCode: ExitCode.no,
    lines: [...failed.map(({ name, problem }) => `FAIL ${name}: ${problem}`), summary],
    json: { ok: false, passed: outcomes.length - failed.length, failed },
  };
};
