import { expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { seamsSet } from "./sets/seams.ts";

it("what stands between the packs is held as wanted", { timeout: 120_000 }, async () => {
  const { recall, false_positive_rate, wrong } = await measure(seamsSet.load(), judgeBy("starter"));
  expect(wrong.filter(({ never }) => never === null)).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(seamsSet.wanted.recall);
  expect(false_positive_rate).toBeLessThanOrEqual(seamsSet.wanted.falsePositiveRate);
});
