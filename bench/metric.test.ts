import { expect, it } from "vitest";
import { type Budget, isMet, type Metric } from "./metric.ts";

const metric = (budget: Budget | null, holdsBesides = true): Metric => ({
  name: "m",
  title: "t",
  unit: "us",
  value: 100,
  floor: 50,
  floorIs: "floor",
  ratio: { min: 1, median: 2, max: 9 },
  runs: 9,
  budget,
  holdsBesides,
  notes: [],
});

it("judges a ratio by its median, not by its extremes", () => {
  expect(isMet(metric({ holds: "ratio at most", limit: 2 }))).toBe(true);
  expect(isMet(metric({ holds: "ratio at most", limit: 1.9 }))).toBe(false);
  expect(isMet(metric({ holds: "ratio at least", limit: 2 }))).toBe(true);
  expect(isMet(metric({ holds: "ratio at least", limit: 2.1 }))).toBe(false);
});

it("judges a value where the budget is one", () => {
  expect(isMet(metric({ holds: "value at most", limit: 100 }))).toBe(true);
  expect(isMet(metric({ holds: "value at most", limit: 99 }))).toBe(false);
});

it("misses a metric whose other condition does not hold", () => {
  expect(isMet(metric(null))).toBe(true);
  expect(isMet(metric(null, false))).toBe(false);
});
