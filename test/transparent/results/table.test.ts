import { expect, test } from "vitest";
import { table } from "./table.ts";

test("columns line up, numbers to the right", () => {
  const counts = { tests: 12, passed_plain: 11, passed_guarded: 10, only_guarded: ["one"], questions: 1234 };
  expect(table([{ suite: "a-suite", version: "1.0.0", ...counts }])).toBe(
    `| suite   | version | tests | passed plain | passed guarded | failed only when guarded | questions |
| ------- | ------- | ----: | -----------: | -------------: | -----------------------: | --------: |
| a-suite | 1.0.0   |    12 |           11 |             10 |                        1 |      1234 |`,
  );
});
