import { describe, expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { databaseFields, sql } from "./sets/sql.ts";

describe.each([sql, databaseFields])("the corpus $name", ({ load, wanted }) => {
  it("is judged as it should be", async () => {
    const { recall, false_positive_rate, wrong } = await measure(load(), judgeBy("starter"));
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(wanted.recall);
    expect(false_positive_rate, JSON.stringify(wrong)).toBeLessThanOrEqual(wanted.falsePositiveRate);
  });
});
