import { describe, expect, it } from "vitest";
import { type CodeOptions, code as pack } from "../../rules/packs/code/index.ts";
import { judgeBy, surroundings } from "./judge.ts";
import { measure } from "./measure.ts";
import { bipiaCode, code } from "./sets/code.ts";

/** This pack alone: what another one says of the same call is measured with that. */
const rules = pack.rules(pack.tiers.starter as CodeOptions, { ...surroundings, allowHosts: [] });

describe.each([code, bipiaCode])("the corpus $name", ({ load, wanted }) => {
  it("is judged as it should be", async () => {
    const { recall, false_positive_rate, wrong } = await measure(load(), judgeBy("starter", rules));
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(wanted.recall);
    expect(false_positive_rate, JSON.stringify(wrong)).toBeLessThanOrEqual(wanted.falsePositiveRate);
  });
});
