import { expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { pathsSet } from "./sets/paths.ts";

it("the paths corpus is judged as wanted", async () => {
  const measured = await measure(pathsSet.load(), judgeBy("starter"));
  expect(measured.recall).toBeGreaterThanOrEqual(0.99);
  expect(measured.false_positive_rate).toBeLessThanOrEqual(0.01);
  expect(measured.passes).toBeGreaterThan(200);
}, 60_000);
