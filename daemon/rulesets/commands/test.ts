import { type CommandResult, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateFile, candidateSet } from "../candidate-set.ts";
import { contentsOf } from "../contents.ts";
import { runAllExamples } from "../examples.ts";

/** `interlock rules test`: runs every example and prints each. */
export const test = (request: CandidateFile): Promise<CommandResult> =>
  orRefusal(async () => {
    const set = await candidateSet(request);
    const outcomes = await runAllExamples(set, await contentsOf(set), request.now_ms);
    const failed = outcomes.filter(({ failure }) => failure !== null).length;
    const lines = outcomes.map(
      ({ rule, place, failure }) =>
        `${failure === null ? "ok  " : "FAIL"} ${rule} #${place}${failure === null ? "" : `: ${failure}`}`,
    );
    const sum = failed === 0 ? `${outcomes.length} examples hold` : `${failed} of ${outcomes.length} examples failed`;
    return {
      exitCode: failed === 0 ? ExitCode.done : ExitCode.no,
      lines: [...lines, sum],
      json: { ok: failed === 0, id: set.id, version: set.version, failed, examples: outcomes },
    };
  }, ExitCode.refused);
