import { describe, expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { injectionOwnSet, injectionSet } from "./sets/injection.ts";

describe("the injection pack", () => {
  for (const { name, load, wanted } of [injectionSet, injectionOwnSet])
    it(`finds in ${name} what it has to, and holds little else`, async () => {
      const { recall, false_positive_rate } = await measure(load(), judgeBy("starter"));
      expect(recall).toBeGreaterThanOrEqual(wanted.recall);
      expect(false_positive_rate).toBeLessThanOrEqual(wanted.falsePositiveRate);
    });
});
