import { RuleDefinitionError } from "interlock/rules";
import { filesUnderRoot, privateEgress, refundOwnership, starterRules } from "interlock/rules/starter";
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

describe("the starter rules", () => {
  const all = starterRules({ roots: ["/srv/app"], refunds: { escalateOver: 500 } });

  it.each(all.map((rule) => [rule.id, rule] as const))("%s: every example holds", async (_id, rule) => {
    expect(await failures([rule])).toEqual([]);
  });

  it.each(all.map((rule) => [rule.id, rule] as const))("%s has examples of both kinds", (_id, { examples }) => {
    const blocking = examples.filter(({ expect: verdict }) => verdict !== "silent" && verdict !== "allow");
    expect(blocking.length).toBeGreaterThanOrEqual(3);
    expect(examples.length - blocking.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["several roots and a directory", { roots: ["/srv/a", "/srv/b/"], directory: "/srv/a" }],
    ["a root below the home", { roots: ["~/project"] }],
    ["a root that holds the usual outsiders", { roots: ["/etc", "/usr"] }],
    ["allowed hosts", { roots: ["/srv"], allowHosts: ["localhost:8080", "127.0.0.1", "REDIS:6379"] }],
  ])("hold with %s", async (_what, options) => {
    expect(await failures(starterRules(options))).toEqual([]);
  });

  it("leave refunds out unless they are asked for", () => {
    expect(starterRules({ roots: ["/srv"] }).map(({ id }) => id)).not.toContain("starter.refund-ownership");
  });

  it.each([
    ["no roots", () => filesUnderRoot({ roots: [] })],
    ["the root /", () => filesUnderRoot({ roots: ["/"] })],
    ["the root //", () => filesUnderRoot({ roots: ["//"] })],
    ["a relative root", () => filesUnderRoot({ roots: ["project"] })],
    ["a root with ..", () => filesUnderRoot({ roots: ["/srv/.."] })],
    ["a relative directory", () => filesUnderRoot({ roots: ["/srv"], directory: "app" })],
    ["a limit of 0", () => refundOwnership({ escalateOver: 0 })],
    ["a limit that is no number", () => refundOwnership({ escalateOver: Number.POSITIVE_INFINITY })],
  ])("refuse %s", (_what, make) => expect(make).toThrow(RuleDefinitionError));

  it("let a named private host through, by the host alone", async () => {
    const rule = privateEgress({ allowHosts: ["localhost:3000"] });
    const context = { now_ms: 0, lookup: async () => undefined };
    const judge = async (url: string): Promise<string | undefined> => {
      const event = { action: "fetch", args: { url }, phase: "call", principal: null, parent_principal: null } as const;
      return (await rule.evaluate({ ...event, span_id: null, ts: 0 }, context))?.kind;
    };
    expect(await judge("http://localhost:3000/x")).toBeUndefined();
    expect(await judge("http://localhost:3001/x")).toBe("block");
    expect(await judge("http://evil@localhost:3001/x#localhost:3000")).toBe("block");
  });
});
