import { expect, test } from "vitest";
import { tapResults } from "./tap.ts";

test("a flat list: failures, skipped and unfinished ones, and what the program prints in between", () => {
  const text = `TAP version 13
ok 1 reads a file
console: not ok, said the program
not ok 2 - writes a file # time=3.2ms
  ---
  message: |
    ok 7 - not a result
  ...
ok 3 - elsewhere # SKIP needs Windows
not ok 4 - some day # todo
ok 5 reads a file
1..5`;
  expect([...tapResults(text, "results")]).toEqual([
    ["reads a file", true],
    ["writes a file", false],
    ["some day", true],
    ["reads a file (2)", true],
  ]);
});

const nested = `TAP version 13
# Subtest: folders
    # Subtest: deep
        ok 1 - should be equal
        not ok 2 - should be equal
        1..2
    not ok 1 - deep # time=5ms
    ok 2 - an assertion
    1..2
not ok 1 - folders # time=9ms
ok 2 - outside
# Subtest: alone
ok 3 - alone
`;

test("results that have none inside, by the path of their names", () => {
  expect([...tapResults(nested, "results")]).toEqual([
    ["folders > deep > should be equal", true],
    ["folders > deep > should be equal (2)", false],
    ["folders > an assertion", true],
    ["outside", true],
    ["alone", true],
  ]);
});

test("subtests, and what stands beside them", () => {
  expect([...tapResults(nested, "subtests")]).toEqual([
    ["folders > deep", false],
    ["folders", false],
    ["outside", true],
    ["alone", true],
  ]);
});
