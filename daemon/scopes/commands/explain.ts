import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { quotedText } from "../../operator/display/safe-text.ts";
import { type CandidateRequest, readCandidate } from "../candidate.ts";
import type { Holding, Resolution } from "../resolve.ts";
import { scopeOf } from "../scope-path.ts";

export interface ExplainRequest extends CandidateRequest {
  readonly principal: string;
}

/** `interlock scope explain PRINCIPAL`: what holds, and where each value comes from. Answers no where everything is blocked. */
export const explain = ({ principal, ...request }: ExplainRequest): Promise<CommandResult> =>
  orRefusal(async () => {
    const { document, resolutions } = (await readCandidate(request)).checked;
    const scope = scopeOf(principal, (path) => resolutions.has(path));
    const { holdings, delegators, removed } = resolutions.get(scope ?? "") ?? nothing;
    const who = `${quotedText(principal)} by ${document.id} version ${document.version}`;
    const json = {
      principal,
      scope,
      document: `${document.id}@${document.version}`,
      holds: holdings.map((holding) => told(holding, delegators)),
      removed,
    };
    if (holdings.length === 0) {
      const why = scope === null ? "no scope is on its path" : `nothing holds in the scope ${scope}`;
      const lines = [`${who}: ${why}`, "so: every call is blocked (scope_unknown)"];
      return { exitCode: ExitCode.no, lines, json: { ok: false, code: "scope_unknown", ...json } };
    }
    return done(
      [
        `${who}: scope ${scope}`,
        ...holdings.flatMap((holding) => linesOf(holding, delegators)),
        ...removed.map((template) => `${template} is removed`),
      ],
      json,
    );
  }, ExitCode.no);

const nothing: Resolution = Object.freeze({ holdings: [], delegators: new Map(), removed: [] });

const told = ({ template, params, boundAt }: Holding, delegators: Resolution["delegators"]) => ({
  template,
  bound_at: boundAt,
  delegated_from: delegators.get(template) ?? [],
  params: Object.fromEntries(params),
});

const linesOf = ({ template, params, boundAt }: Holding, delegators: Resolution["delegators"]): readonly string[] => {
  const from = delegators.get(template);
  const bound = from === undefined ? "" : `; no more than ${from.join(", ")}`;
  return [
    `${template}, bound at ${boundAt}${bound}`,
    ...[...params].map(
      ([name, { value, from: scopes }]) => `  ${name} ${JSON.stringify(value)}, from ${scopes.join(", ")}`,
    ),
  ];
};
