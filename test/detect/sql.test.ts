import { describe, expect, it } from "vitest";
import { type DatabaseOptions, database } from "../../rules/packs/database/index.ts";
import { judgeBy, surroundings } from "./judge.ts";
import { measure } from "./measure.ts";
import { databaseFields, sql } from "./sets/sql.ts";

/** This pack alone: what another one says of the same call is measured with that. */
const rules = database.rules(database.tiers.starter as DatabaseOptions, { ...surroundings, allowHosts: [] });

describe.each([sql, databaseFields])("the corpus $name", ({ load, wanted }) => {
  it("is judged as it should be", async () => {
    const { recall, false_positive_rate, wrong } = await measure(load(), judgeBy("starter", rules));
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(wanted.recall);
    expect(false_positive_rate, JSON.stringify(wrong)).toBeLessThanOrEqual(wanted.falsePositiveRate);
  });
});
