import type { RuleSet } from "../../rules/types.ts";
import type { CompiledContents } from "../contracts/compile-contents.ts";
import { noContracts, noPolicies } from "../contracts/none.ts";
import { definitionError } from "./compile.ts";
import type { LoadedRules } from "./loaded.ts";
import { RuleSetRefused, thrownType } from "./refusal.ts";

/**
 * What a rule set holds beside rules. The schema library and the patterns' engine are loaded by the first set that
 * holds any: a daemon of rules alone does not wait for them.
 */
const compiler = () => import("../contracts/compile-contents.ts");

export const noContents: CompiledContents = Object.freeze({
  tools: Object.freeze([]),
  policies: Object.freeze([]),
  principals: Object.freeze({}),
});

/** Throws `RuleSetRefused` (`bad_contents`, `duplicate`). */
export const contentsOf = async (set: RuleSet): Promise<CompiledContents> => {
  if (set.tools.length === 0 && set.policies.length === 0 && Object.keys(set.principals).length === 0)
    return noContents;
  const { compileContents } = await compiler();
  const contents = orBadContents(set.id, () => compileContents(set));
  const ids = [...set.rules.map(({ id }) => id), ...contents.policies.map(({ id }) => id)];
  refuseTwice(ids, "rule or policy", "ids are unique in a daemon");
  return contents;
};

/** All sets' contents, judged together. Throws `RuleSetRefused` (`duplicate`, `bad_contents`). */
export const combined = async (
  contents: readonly CompiledContents[],
): Promise<Pick<LoadedRules, "contracts" | "policies">> => {
  const all = contents.filter((one) => one !== noContents);
  if (all.length === 0) return { contracts: noContracts, policies: noPolicies };
  const tools = all.flatMap((one) => one.tools);
  const principals = all.flatMap((one) => Object.entries(one.principals));
  refuseTwice(
    tools.map(({ name }) => name),
    "tool",
    "it has one contract",
  );
  refuseTwice(
    principals.map(([name]) => name),
    "principal",
    "one place says its roles",
  );
  const { compilePolicies, contractsOf } = await compiler();
  const definitions = all.flatMap((one) => one.policies);
  const { policies } = orBadContents("policies", () => compilePolicies(definitions, Object.fromEntries(principals)));
  return { contracts: contractsOf(tools), policies };
};

/** Throws `RuleSetRefused` (`duplicate`). */
export const refuseTwice = (ids: readonly string[], what: string, why: string): void => {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new RuleSetRefused("duplicate", `${what} ${id} is loaded twice; ${why}`);
    seen.add(id);
  }
};

const orBadContents = <T>(id: string, make: () => T): T => {
  try {
    return make();
  } catch (error) {
    const why = definitionError(error)?.message ?? `it threw ${thrownType(error)}`;
    throw new RuleSetRefused("bad_contents", why.includes(id) ? why : `rule set ${id}: ${why}`);
  }
};
