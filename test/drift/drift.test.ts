import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { measure } from "./measure.ts";
import { loadPairs } from "./pairs.ts";
import { schemaText } from "./schema-text.ts";
import { wanted } from "./wanted.ts";

const pairs = loadPairs();
const labelled = (label: "attack" | "churn") => pairs.filter((pair) => pair.label === label);

describe("the measured set of drift", () => {
  it("has at least eighty pairs, half of each label, and churn of ten published packages", () => {
    expect(labelled("attack").length).toBeGreaterThanOrEqual(40);
    expect(labelled("churn").length).toBeGreaterThanOrEqual(40);
    expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
    const packages = new Set(pairs.flatMap(({ source }) => (source === null ? [] : [source.package])));
    expect(packages.size).toBeGreaterThanOrEqual(10);
  });

  it("says of every attack what has to be held, and of no churn", () => {
    expect(labelled("attack").filter(({ held }) => held.length === 0)).toEqual([]);
    expect(labelled("churn").filter(({ held }) => held.length > 0)).toEqual([]);
  });

  it("has pairs that the rules met when they were done", () => {
    const heldOut = pairs.filter(({ set }) => set === "held_out");
    expect(new Set(heldOut.map(({ label }) => label)).size).toBe(2);
    expect(heldOut.length).toBeGreaterThanOrEqual(60);
  });

  it("has the schema that its reader reads by", () => {
    const text = readFileSync(new URL("../../conformance/drift/schema.json", import.meta.url), "utf8");
    expect(text === schemaText(), "run npx tsx test/drift/write-schema.ts").toBe(true);
  });

  it("is told apart as well as is wanted", () => {
    const { recall, false_positive_rate, wrong } = measure(pairs);
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(wanted.recall);
    expect(false_positive_rate, JSON.stringify(wrong)).toBeLessThanOrEqual(wanted.falsePositiveRate);
  });
});
