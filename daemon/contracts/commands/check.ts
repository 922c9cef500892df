import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import { type CommandResult, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateFile, candidateSet } from "../../rulesets/candidate-set.ts";
import { contentsOf } from "../../rulesets/contents.ts";
import { describeFailure, runAllExamples } from "../../rulesets/examples.ts";
import type { CompiledContents } from "../compile-contents.ts";

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
    const asides = contents.policies.map((policy) => asideOf(policy, contents));
    const principals = Object.keys(contents.principals).length;
    const held = `${outcomes.length - failures.length} of ${counted(outcomes.length, "example")} hold`;
    return {
      exitCode: failures.length === 0 ? ExitCode.done : ExitCode.no,
      lines: [
        `${set.id}: ${counted(tools.length, "tool")}, ${counted(policies.length, "policy", "policies")}, ${counted(principals, "principal")}`,
        ...tools.map(({ name, effect, repeats_by }) => `  tool ${name} (${effect}): repeats by ${repeats_by}`),
        ...policies.map(
          ({ id, tools: about, does }, at) => `  policy ${id}: ${about.join(", ")}; ${does}${asides[at]}`,
        ),
        ...failures,
        held,
      ],
      json: { ok: failures.length === 0, id: set.id, tools, policies, principals, examples: outcomes.length, failures },
    };
  }, ExitCode.refused);

/** Names that nothing of the file knows: of another file, or misspelt, and then the policy is about no call. */
const asideOf = ({ tools, who }: PolicyDefinition, contents: CompiledContents): string => {
  const roles = new Set(Object.values(contents.principals).flatMap(({ roles: held = [] }) => held));
  const strange = tools.filter((name) => !name.includes("*") && !contents.tools.some((tool) => tool.name === name));
  const unheld = [...(who?.roles ?? []), ...(who?.not_roles ?? [])].filter((role) => !roles.has(role));
  const asides = [
    ...(contents.tools.length > 0 && strange.length > 0 ? [`no contract here: ${strange.join(", ")}`] : []),
    ...(roles.size > 0 && unheld.length > 0 ? [`nobody here is ${unheld.join(", ")}`] : []),
  ];
  return asides.length === 0 ? "" : ` (${asides.join("; ")})`;
};
