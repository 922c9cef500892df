import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fencedBlocks } from "../../structure/docs/fences.ts";
import { extraSets } from "../sets/all.ts";
import type { Evaluation } from "./evaluation.ts";
import { deviations, expectedAblations, expectedExtra, expectedMetrics } from "./expected.ts";
import { report } from "./table.ts";

const asExpected: Evaluation = { ...expectedMetrics, ablations: expectedAblations, extra: expectedExtra };

test("every extra set has numbers that it should come to", () => {
  expect(extraSets.map(({ name }) => name)).toEqual(Object.keys(expectedExtra));
});

test("nothing deviates where every number is what it should be, or was not measured", () => {
  expect(deviations(asExpected)).toEqual([]);
  expect(deviations({})).toEqual([]);
});

test("a number that deviates is named", () => {
  const tampering = { ...(expectedExtra.tampering as NonNullable<typeof expectedExtra.tampering>), treatment: 1 };
  const wrong: Evaluation = {
    ...asExpected,
    unsafe_writes: { ...expectedMetrics.unsafe_writes, treatment: 1 },
    ablations: { ...expectedAblations, without_policy: 0 },
    extra: { ...expectedExtra, tampering, split_refunds: { ...tampering, total: 100 } },
  };
  expect(deviations(wrong)).toEqual([
    "unsafe_writes.treatment is 1, not 0",
    "ablations.without_policy is 0, not 20",
    "split_refunds.counted is alterations unnoticed, not refunds that ran",
    "split_refunds.baseline is null, not 100",
    "split_refunds.treatment is 1, not 25",
    "split_refunds.wanted is 0, not 25",
    "split_refunds.safe is 2, not 107",
    "tampering.treatment is 1, not 0",
  ]);
});

test("docs/evals.md shows the report of these numbers", () => {
  const page = readFileSync(new URL("../../../docs/evals.md", import.meta.url), "utf8");
  const shown = fencedBlocks(page).find(({ lines }) => lines[0] === "$ npm run eval");
  expect(shown?.lines.slice(1)).toEqual(report(asExpected).trimEnd().split("\n"));
});
