import { expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { networkSet } from "./sets/network.ts";

it("addresses are told apart as wanted", async () => {
  const cases = networkSet.load();
  const { recall, false_positive_rate, held, passes, wrong } = await measure(cases, judgeBy("starter"));
  expect(Math.min(held, passes)).toBeGreaterThanOrEqual(110);
  // What another pack holds counts in the rates.
  const ofThisPack = wrong.filter(
    ({ never, rule }) => never === null && (rule === null || rule.startsWith("network.")),
  );
  expect(ofThisPack).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(networkSet.wanted.recall);
  expect(false_positive_rate).toBeLessThanOrEqual(networkSet.wanted.falsePositiveRate);
});
