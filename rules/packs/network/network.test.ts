import { describe, expect, it } from "vitest";
import { runExamples } from "../../../daemon/rulesets/examples.ts";
import { checkRuleSet } from "../../check.ts";
import { standardPacks } from "../standard.ts";

const failures = async (options: Partial<Parameters<typeof standardPacks>[0]>): Promise<readonly string[]> => {
  const { rules } = standardPacks({ roots: ["/srv/app"], ...options });
  const set = checkRuleSet({ id: "network", version: 1, rules: rules.filter(({ id }) => id.startsWith("network.")) });
  const outcomes = await runExamples(set, 0);
  expect(outcomes.length).toBeGreaterThan(50);
  return outcomes.flatMap(({ rule, place, failure }) => {
    const example = set.rules.find(({ id }) => id === rule)?.examples[place - 1];
    return failure === null ? [] : [`${rule} #${place}: ${failure}: ${JSON.stringify(example?.event.args)}`];
  });
};

describe("the network pack: every example holds", () => {
  it.each([
    ["as it is", {}],
    ["in the strict tier", { tier: "strict" }],
    ["with allowed hosts", { allowHosts: ["localhost:9200", "127.0.0.1", "REDIS:6379", "169.254.169.254"] }],
    ["that asks", { packs: { network: { privateNetwork: "escalate" } } }],
    [
      "with lists",
      { packs: { network: { allowDomains: ["example.com", "api.example.org"], allowRecipients: ["example.com"] } } },
    ],
  ] as const)("%s", async (_what, options) => expect(await failures(options)).toEqual([]));
});
