import type { Bounds, ToolDefinition } from "../../../rules/contracts/tool.ts";
import { canonical } from "../../../wire/canonical.ts";
import { type CommandResult, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateFile, candidateSet } from "../../rulesets/candidate-set.ts";
import { contentsOf } from "../../rulesets/contents.ts";
import type { CompiledContents } from "../compile-contents.ts";
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
    const [old, candidate] = [await candidateSet(before), await candidateSet(after)];
    const [was, now] = [await contentsOf(old), await contentsOf(candidate)];
    const changes = [...toolLines(old.tools, candidate.tools), ...policyLines(was, now), ...principalLines(was, now)];
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
const facets = [
  "inputSchema",
  "effect",
  "idempotency",
  "lease_ms",
  "redact",
] as const satisfies (keyof ToolDefinition)[];

const toolLines = (was: readonly ToolDefinition[], now: readonly ToolDefinition[]): readonly Line[] => {
  const lines: Line[] = [];
  for (const { name } of was)
    if (!now.some((tool) => tool.name === name))
      lines.push({ mark: "-", name: `tool ${name}`, what: "has no contract any more", effect: "loosens" });
  for (const tool of now) {
    const name = `tool ${tool.name}`;
    const old = was.find((one) => one.name === tool.name);
    if (old === undefined) {
      lines.push({ mark: "+", name, what: "has a contract", effect: "tightens" });
      continue;
    }
    for (const facet of facets)
      if (canonical(old[facet]) !== canonical(tool[facet]))
        lines.push({ mark: "~", name, what: `another ${facet}`, effect: "unclear" });
    lines.push(...boundLines(name, old.bounds, tool.bounds));
    if (canonical(freshness(old)) !== canonical(freshness(tool)))
      lines.push({ mark: "~", name, what: "other resolvers", effect: "unclear" });
  }
  return lines;
};

/** A bound on a fact stands in no schema, so bounds are compared by themselves. */
const boundLines = (name: string, was: Bounds, now: Bounds): readonly Line[] =>
  [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((path): Line[] => {
    const [old, new_] = [was[path], now[path]];
    if (canonical(old ?? null) === canonical(new_ ?? null)) return [];
    const effect = old === undefined ? "tightens" : new_ === undefined ? "loosens" : "unclear";
    const mark = old === undefined ? "+" : new_ === undefined ? "-" : "~";
    return [{ mark, name, what: `bound on ${path} ${canonical(old ?? null)} -> ${canonical(new_ ?? null)}`, effect }];
  });

const freshness = ({ resolvers }: ToolDefinition): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(resolvers).map(([name, { fresh_ms }]) => [name, fresh_ms]));

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
