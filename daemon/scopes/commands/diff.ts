import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import { type CommandResult, orRefusal } from "../../commands/command-result.ts";
import { comparePolicies, type Effect } from "../../contracts/policies/compare.ts";
import { ExitCode } from "../../exit-codes.ts";
import { type CandidateRequest, readCandidate } from "../candidate.ts";
import type { CheckedScopes } from "../check.ts";
import { scopeOf } from "../scope-path.ts";

export interface DiffRequest {
  readonly before: CandidateRequest;
  readonly after: CandidateRequest;
}

interface Change {
  /** Principals of this path, and below it where no deeper scope is. */
  readonly scope: string;
  readonly what: string;
  readonly effect: Effect;
}

/** `interlock scope diff OLD NEW`: what each principal gains and loses. Answers no where one gains, or nobody can tell. */
export const diff = ({ before, after }: DiffRequest): Promise<CommandResult> =>
  orRefusal(async () => {
    const [was, now] = [(await readCandidate(before)).checked, (await readCandidate(after)).checked];
    const scopes = [...new Set([...was.resolutions.keys(), ...now.resolutions.keys()])].sort();
    const changes = scopes.flatMap((scope) => changesOf(scope, was, now));
    const count = (effect: Effect): number => changes.filter((change) => change.effect === effect).length;
    const [gains, loses, unclear] = [count("loosens"), count("tightens"), count("unclear")];
    return {
      exitCode: gains + unclear === 0 ? ExitCode.done : ExitCode.no,
      lines: [
        ...changes.map(({ scope, what, effect }) => `${scope}: ${what} (${words[effect]})`),
        `${gains} gain, ${loses} lose, ${unclear} unclear`,
      ],
      json: { ok: gains + unclear === 0, gains, loses, unclear, changes },
    };
  }, ExitCode.refused);

const words: Readonly<Record<Effect, string>> = Object.freeze({
  loosens: "gains",
  tightens: "loses",
  unclear: "unclear",
  neither: "neither",
});

const changesOf = (scope: string, was: CheckedScopes, now: CheckedScopes): readonly Change[] => {
  const [old, held] = [policiesOf(scope, was), policiesOf(scope, now)];
  if (old === null && held === null) return [];
  // Whoever has nothing is blocked, so anything at all is more.
  if (old === null) return [{ scope, what: "was unknown", effect: "loosens" }];
  if (held === null) return [{ scope, what: "is unknown", effect: "tightens" }];
  return comparePolicies(old, held).map(({ id, what, effect }) => ({
    scope,
    what: `${id.replace(/^scope:/, "")} ${what}`,
    effect,
  }));
};

/** Null where every call is blocked. */
const policiesOf = (scope: string, { resolutions, instances }: CheckedScopes): readonly PolicyDefinition[] | null => {
  const found = scopeOf(scope, (path) => resolutions.has(path));
  const holdings = found === null ? [] : (resolutions.get(found)?.holdings ?? []);
  if (holdings.length === 0) return null;
  return holdings.flatMap((holding) => {
    const instance = instances.of(holding);
    return instance.ok ? [instance.definition] : [];
  });
};
