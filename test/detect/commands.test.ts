import { expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { commandsSet } from "./sets/commands.ts";

it("commands are told apart as wanted", { timeout: 120_000 }, async () => {
  const cases = commandsSet.load();
  const { recall, false_positive_rate, held, passes, wrong } = await measure(cases, judgeBy("starter"));
  expect(Math.min(held, passes)).toBeGreaterThanOrEqual(200);
  expect(wrong.filter(({ never }) => never === null)).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(commandsSet.wanted.recall);
  expect(false_positive_rate).toBeLessThanOrEqual(commandsSet.wanted.falsePositiveRate);
});
