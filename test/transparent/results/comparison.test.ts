import { expect, test } from "vitest";
import { countsOf } from "./comparison.ts";

const results = (names: Readonly<Record<string, boolean>>) => new Map(Object.entries(names));

test("what fails in every try with the guard, or does not run there, counts; what fails without it does not", () => {
  const plain = results({ same: true, flaky: true, lost: true, gone: true, broken: false, healed: false });
  const first = results({ same: true, flaky: false, lost: false, broken: false, healed: true });
  const second = results({ same: true, flaky: true, lost: false, broken: false });
  expect(countsOf([{ plain, guarded: [first, second] }])).toEqual({
    tests: 6,
    passed_plain: 4,
    passed_guarded: 3,
    only_guarded: ["lost", "gone"],
  });
});

test("the processes of a suite are added up; equal names in two of them are two tests", () => {
  const run = { plain: results({ a: true }), guarded: [results({ a: true })] };
  expect(countsOf([run, run])).toEqual({ tests: 2, passed_plain: 2, passed_guarded: 2, only_guarded: [] });
});
