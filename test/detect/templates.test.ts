import { describe, expect, it } from "vitest";
import { checkRuleSet } from "../../rules/check.ts";
import { templates as pack, type TemplatesOptions } from "../../rules/packs/templates/index.ts";
import { cost_ms } from "./cost.ts";
import { judgeBy, surroundings } from "./judge.ts";
import { measure } from "./measure.ts";
import { templates } from "./sets/templates.ts";

/** This pack alone: what another one says of the same call is measured with that. */
const rules = pack.rules(pack.tiers.starter as TemplatesOptions, { ...surroundings, allowHosts: [] });

describe("the templates pack", () => {
  it("judges its corpus as it should: rows 1, 15, 44, 49, 76, 92 and 105 among it", async () => {
    const { recall, false_positive_rate, wrong } = await measure(templates.load(), judgeBy("starter", rules));
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(templates.wanted.recall);
    expect(false_positive_rate, JSON.stringify(wrong)).toBeLessThanOrEqual(templates.wanted.falsePositiveRate);
  });

  it("rows 65 and 82: asks about redirects and scripts in the strict tier", async () => {
    const strict = pack.rules(pack.tiers.strict as TemplatesOptions, { ...surroundings, allowHosts: [] });
    expect(() => checkRuleSet({ id: "t", version: 1, rules: strict })).not.toThrow();
    const judge = judgeBy("strict", strict);
    expect((await judge({ action: "go", args: { next: "https://evil.example" } })).kind).toBe("escalate");
    expect((await judge({ action: "say", args: { title: "<script>x</script>" } })).kind).toBe("escalate");
  });

  it.each([
    "{{",
    "${",
    "<%",
    "{%",
    "\r\n",
    "%0d%0a",
    ")(",
    "__proto__",
    "<!DOCTYPE a [",
    "<!ENTITY ",
    "<script ",
    "constructor",
    "{{7*",
  ])("reads hostile text of %j in less than 50 ms", async (part) => {
    for (const length of [8_000, 100_000]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      expect(
        await cost_ms(() => judgeBy("starter", rules)({ action: "a", args: { subject: text, name: text } })),
      ).toBeLessThan(50);
    }
  });
});
