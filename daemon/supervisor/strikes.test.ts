import { expect, test } from "vitest";
import { maxEngineRestartsPerMinute, maxRememberedOverruns, Strikes } from "./strikes.ts";

test("the third overrun of a rule within a minute suspends it, once", () => {
  const strikes = new Strikes();
  expect([0, 1, 2, 3].map((n) => strikes.overran("r", `d${n}`, n * 1_000))).toEqual([false, false, true, false]);
  expect(strikes.suspended).toEqual(["r"]);
});

test("overruns of other rules, and those of more than a minute ago, do not count", () => {
  const strikes = new Strikes();
  for (const [n, rule] of ["a", "b", "a", "b"].entries()) expect(strikes.overran(rule, `d${n}`, 0)).toBe(false);
  expect(strikes.overran("a", "late", 60_000)).toBe(false);
  expect(strikes.suspended).toEqual([]);
});

test("what overran is remembered, up to a bound, the oldest forgotten first", () => {
  const strikes = new Strikes();
  for (let n = 0; n <= maxRememberedOverruns; n++) strikes.overran(`r${n}`, `d${n}`, 0);
  expect(strikes.overranDigests.length).toBe(maxRememberedOverruns);
  expect(strikes.overranDigests).not.toContain("d0");
  expect(strikes.overranDigests).toContain("d1");
});

test("more restarts than allowed within a minute disable the engine; slower ones never do", () => {
  const quick = new Strikes();
  const allowed = Array.from({ length: maxEngineRestartsPerMinute + 1 }, (_, n) => quick.restarted(n));
  expect(allowed.indexOf(false)).toBe(maxEngineRestartsPerMinute);
  const slow = new Strikes();
  for (let n = 0; n < 100; n++) expect(slow.restarted(n * 7_000)).toBe(true);
});

test("a reload forgives all of it", () => {
  const strikes = new Strikes();
  for (let n = 0; n < 20; n++) {
    strikes.overran("r", `d${n}`, 0);
    strikes.restarted(0);
  }
  strikes.forgive();
  expect([strikes.suspended, strikes.overranDigests]).toEqual([[], []]);
  expect(strikes.restarted(0)).toBe(true);
  expect(strikes.overran("r", "d", 0)).toBe(false);
});
