import { ExitCode } from "../daemon/exit-codes.ts";
import { type CommandResult, done } from "../daemon/rulesets/commands/command-result.ts";
import { nodeClient } from "./replay/node-client.ts";
import { runMisbehaviours } from "./run-misbehaving.ts";

/** `interlock conformance client`: drives the Node client through every misbehaviour; exit code 1 where it fails one. */
export const conformanceClient = async (): Promise<CommandResult> => {
  const outcomes = await runMisbehaviours(nodeClient);
  const failed = outcomes.filter(({ problem }) => problem !== null);
  const summary = `${outcomes.length - failed.length} passed, ${failed.length} failed`;
  if (failed.length === 0) return done([summary], { passed: outcomes.length, failed });
  return {
    exitCode: ExitCode.no,
    lines: [...failed.map(({ name, problem }) => `FAIL ${name}: ${problem}`), summary],
    json: { ok: false, passed: outcomes.length - failed.length, failed },
  };
};
