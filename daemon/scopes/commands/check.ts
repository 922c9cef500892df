import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateRequest, readCandidate } from "../candidate.ts";
import { wideningOf } from "../check-template.ts";
import type { Template } from "../document.ts";
import { isOver, lastLine } from "./last-line.ts";

/** `interlock scope check FILE`: does it hold together? Each problem is a line. */
export const check = (request: CandidateRequest): Promise<CommandResult> =>
  orRefusal(async () => {
    const { checked, signed } = await readCandidate(request);
    const { document, resolutions } = checked;
    const { id, version, not_after, templates } = document;
    const scopes = [...resolutions].map(([path, { holdings }]) => ({
      path,
      holds: holdings.map(({ template }) => template),
    }));
    const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
    const lines = [
      `${id} version ${version}: ${counted(templates.size, "template")}, ${counted(scopes.length, "scope")}, ${lastLine(not_after)}`,
      ...[...templates].map(([name, template]) => `  template ${name}: ${parametersOf(template)}`),
      ...scopes.map(({ path, holds }) => `  scope ${path}: ${holds.length === 0 ? "nothing holds" : holds.join(", ")}`),
      ...(signed === null ? [] : [`signed by ${signed.key_ids.join(", ")}`, signed.pin]),
    ];
    const json = { id, version, not_after, templates: [...templates.keys()], scopes, ...signed };
    if (!isOver(not_after, request.now_ms)) return done(lines, json);
    return {
      exitCode: ExitCode.no,
      lines: [...lines, "its not_after has passed (expired)"],
      json: { ok: false, code: "expired", ...json },
    };
  }, ExitCode.no);

const parametersOf = (template: Template): string =>
  template.parameters.size === 0
    ? "no parameters"
    : [...template.parameters.keys()].map((param) => `${param} (${grants(param, template)})`).join(", ");

const words = Object.freeze({
  larger: "a larger one grants more",
  smaller: "a smaller one grants more",
  superset: "a longer list grants more",
  subset: "a shorter list grants more",
});

const grants = (param: string, template: Template): string => {
  const widens = wideningOf(param, template);
  return widens === null ? "a delegate's is its delegator's" : words[widens];
};
