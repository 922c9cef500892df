import { expect, it } from "vitest";
import { median, quantile, spread } from "./statistics.ts";

it("takes the middle value, and between two the mean", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

it("takes a quantile that was measured, the largest at most", () => {
  const values = Array.from({ length: 100 }, (_, at) => at);
  expect(quantile(values, 0.5)).toBe(50);
  expect(quantile(values, 0.99)).toBe(99);
  expect(quantile(values, 1)).toBe(99);
});

it("refuses to summarise nothing", () => {
  expect(() => median([])).toThrow("a median of nothing");
  expect(() => quantile([], 0.5)).toThrow("a quantile of nothing");
});

it("spreads from the smallest to the largest", () => {
  expect(spread([5, 1, 3])).toEqual({ min: 1, median: 3, max: 5 });
});
