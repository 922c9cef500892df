import { expect, it } from "vitest";
import { standardPacks } from "../../rules/packs/standard.ts";
import { judgeBy, surroundings } from "./judge.ts";
import { measure } from "./measure.ts";
import { piiSet, secretsSet } from "./sets/secrets.ts";

const rules = standardPacks({ ...surroundings }).rules.filter(({ id }) => /^(?:secrets|pii)\./.test(id));

it.each([secretsSet, piiSet])("$name is held as it should be", async ({ load, wanted }) => {
  const { recall, false_positive_rate, held, passes, wrong } = await measure(load(), judgeBy("starter", rules));
  expect(Math.min(held, passes)).toBeGreaterThanOrEqual(75);
  expect(wrong.filter(({ never, expect: side }) => never === null && side === "passes")).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(wanted.recall);
  expect(false_positive_rate).toBeLessThanOrEqual(wanted.falsePositiveRate);
});
