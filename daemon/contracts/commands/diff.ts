import { canonical } from "../../../wire/canonical.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateFile, candidateSet } from "../../rulesets/candidate-set.ts";
import { type CommandResult, orRefusal } from "../../rulesets/commands/command-result.ts";
import { contentsOf } from "../../rulesets/contents.ts";
import type { CompiledContents } from "../compile-contents.ts";
import type { ToolContract } from "../contract.ts";
import { comparePolicies, type Effect } from "../policies/compare.ts";

export interface DiffRequest {
  readonly before: CandidateFile;
  readonly after: CandidateFile;
}

interface Line {
  readonly mark: "+" | "-" | "~";
  readonly name: string;
  readonly what: string;
  readonly effect: Effect;
}

/** `interlock policy diff OLD NEW`: what a candidate does otherwise. Answers no where it loosens, or nobody can tell. */
export const diff = ({ before, after }: DiffRequest): Promise<CommandResult> =>
  orRefusal(async () => {
    const [was, now] = [await contentsOf(await candidateSet(before)), await contentsOf(await candidateSet(after))];
    const changes = [...toolLines(was.tools, now.tools), ...policyLines(was, now), ...principalLines(was, now)];
    const count = (effect: Effect): number => changes.filter((change) => change.effect === effect).length;
    const [loosens, tightens, unclear] = [count("loosens"), count("tightens"), count("unclear")];
    return {
      exitCode: loosens + unclear === 0 ? ExitCode.done : ExitCode.no,
      lines: [
        ...changes.map(({ mark, name, what, effect }) => `${mark} ${name}: ${what} (${effect})`),
        `${loosens} loosen, ${tightens} tighten, ${unclear} unclear`,
      ],
      json: { ok: loosens + unclear === 0, loosens, tightens, unclear, changes },
    };
  }, ExitCode.refused);

const marks = { added: "+", removed: "-", changed: "~" } as const;

const policyLines = (was: CompiledContents, now: CompiledContents): readonly Line[] =>
  comparePolicies(was.policies, now.policies).map(({ id, kind, effect, what }) => ({
    mark: marks[kind],
    name: `policy ${id}`,
    what,
    effect,
  }));

/** What two contracts may differ in, as data. Whether a schema lets more through, only calls can tell. */
const facets = ["inputSchema", "effect", "idempotency", "lease_ms", "redact"] as const satisfies (keyof ToolContract)[];

const toolLines = (was: readonly ToolContract[], now: readonly ToolContract[]): readonly Line[] => {
  const lines: Line[] = [];
  for (const tool of was)
    if (!now.some(({ name }) => name === tool.name))
      lines.push({ mark: "-", name: `tool ${tool.name}`, what: "has no contract any more", effect: "loosens" });
  for (const tool of now) {
    const old = was.find(({ name }) => name === tool.name);
    if (old === undefined)
      lines.push({ mark: "+", name: `tool ${tool.name}`, what: "has a contract", effect: "tightens" });
    else
      for (const facet of facets)
        if (canonical(old[facet]) !== canonical(tool[facet]))
          lines.push({ mark: "~", name: `tool ${tool.name}`, what: `another ${facet}`, effect: "unclear" });
  }
  return lines;
};

const principalLines = (was: CompiledContents, now: CompiledContents): readonly Line[] => {
  const names = [...new Set([...Object.keys(was.principals), ...Object.keys(now.principals)])];
  return names.flatMap((name): Line[] => {
    const [old, new_] = [was.principals[name], now.principals[name]];
    if (canonical(old ?? null) === canonical(new_ ?? null)) return [];
    const mark = old === undefined ? "+" : new_ === undefined ? "-" : "~";
    return [{ mark, name: `principal ${name}`, what: `${shown(old)} -> ${shown(new_)}`, effect: "unclear" }];
  });
};

const shown = (principal: CompiledContents["principals"][string] | undefined): string =>
  principal === undefined ? "none" : canonical(principal);
