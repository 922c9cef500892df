import { RuleDefinitionError } from "interlock/rules";
import { quietSearch, refundOwnership } from "interlock/rules/starter";
import { describe, expect, it } from "vitest";
import { runExamples } from "../../daemon/rulesets/examples.ts";
import type { DefinedRule } from "../authoring.ts";
import { checkRuleSet } from "../check.ts";

const failures = async (rules: readonly DefinedRule[]): Promise<readonly string[]> => {
  const set = checkRuleSet({ id: "starter", version: 1, rules });
  const outcomes = await runExamples(set, 0);
  expect(outcomes.length).toBeGreaterThan(0);
  return outcomes.flatMap(({ rule, place, failure }) => {
    const example = set.rules.find(({ id }) => id === rule)!.examples[place - 1];
    return failure === null ? [] : [`${rule} #${place}: ${failure}: ${JSON.stringify(example?.event.args)}`];
  });
};

describe("the ready-made rules", () => {
  it.each([quietSearch(), refundOwnership({ escalateOver: 500 })].map((rule) => [rule.id, rule] as const))(
    "%s: every example holds, of both kinds",
    async (_id, rule) => {
      expect(await failures([rule])).toEqual([]);
      const kinds = rule.examples.map(({ expect: verdict }) => verdict === "silent" || verdict === "allow");
      expect(kinds).toContain(true);
      expect(kinds).toContain(false);
    },
  );

  it.each([
    ["a limit of 0", 0],
    ["a limit that is no number", Number.POSITIVE_INFINITY],
  ])("refuse %s", (_what, escalateOver) =>
    expect(() => refundOwnership({ escalateOver })).toThrow(RuleDefinitionError),
  );
});
