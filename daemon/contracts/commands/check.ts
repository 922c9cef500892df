import { ExitCode } from "../../exit-codes.ts";
import { type CandidateFile, candidateSet } from "../../rulesets/candidate-set.ts";
import { type CommandResult, orRefusal } from "../../rulesets/commands/command-result.ts";
import { contentsOf } from "../../rulesets/contents.ts";
import { describeFailure, runAllExamples } from "../../rulesets/examples.ts";

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `interlock policy check FILE`: does it hold together, and do its examples hold? */
export const check = (request: CandidateFile): Promise<CommandResult> =>
  orRefusal(async () => {
    const set = await candidateSet(request);
    const contents = await contentsOf(set);
    const outcomes = await runAllExamples(set, contents, request.now_ms);
    const failures = outcomes.filter(({ failure }) => failure !== null).map(describeFailure);
    const tools = contents.tools.map(({ name, effect, idempotency, inputSchema }) => ({
      name,
      effect,
      repeats_by: idempotency.by,
      input_schema: inputSchema,
    }));
    const policies = contents.policies.map(({ id, tools: about, then, shadow }) => ({
      id,
      tools: about,
      does: `${shadow === true ? "shadow " : ""}${then ?? "limit"}`,
    }));
    const principals = Object.keys(contents.principals).length;
    const held = `${outcomes.length - failures.length} of ${counted(outcomes.length, "example")} hold`;
    return {
      exitCode: failures.length === 0 ? ExitCode.done : ExitCode.no,
      lines: [
        `${set.id}: ${counted(tools.length, "tool")}, ${counted(policies.length, "policy", "policies")}, ${counted(principals, "principal")}`,
        ...tools.map(({ name, effect, repeats_by }) => `  tool ${name} (${effect}): repeats by ${repeats_by}`),
        ...policies.map(
          ({ id, tools: about, does }) =>
            `  policy ${id}: ${about.join(", ")}; ${does}${withoutContract(about, tools)}`,
        ),
        ...failures,
        held,
      ],
      json: { ok: failures.length === 0, id: set.id, tools, policies, principals, examples: outcomes.length, failures },
    };
  }, ExitCode.refused);

/** Beside tools that have contracts, a name that has none may be misspelt. */
const withoutContract = (about: readonly string[], tools: readonly { readonly name: string }[]): string => {
  const others = about.filter((name) => !name.includes("*") && !tools.some((tool) => tool.name === name));
  return tools.length === 0 || others.length === 0 ? "" : ` (no contract here: ${others.join(", ")})`;
};
