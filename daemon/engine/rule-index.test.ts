import { describe, expect, test } from "vitest";
import { loadedRules, rule } from "./judging.testkit.ts";
import { indexRules } from "./rule-index.ts";

const on = (id: string, ...actions: string[]) => rule(id, () => undefined, { actions });

describe("rules by action", () => {
  const index = indexRules(
    loadedRules([
      on("exact", "refund"),
      on("all", "*"),
      on("fs", "fs.*"),
      on("deep", "a.b.*"),
      on("read", "fs.readFile"),
    ]),
    100,
  );
  const ids = (action: string) => index.match("call", action).rules.map(({ rule: { id } }) => id);

  test.each([
    ["refund", ["exact", "all"]],
    ["Refund", ["all"]],
    ["fs.readFile", ["all", "fs", "read"]],
    ["fs.writeFile", ["all", "fs"]],
    ["fs", ["all"]],
    ["fsx.readFile", ["all"]],
    ["a.b.c", ["all", "deep"]],
    ["a.b.c.d", ["all", "deep"]],
    ["a.b", ["all"]],
    ["*", ["all"]],
    ["fs.*", ["all", "fs"]],
    ["__proto__", ["all"]],
  ])("%s is judged by %j, in the order of the set", (action, expected) => {
    expect(ids(action)).toEqual(expected);
  });

  test("numbers go on from where the last index ended", () => {
    expect(index.rules.map(({ number }) => number)).toEqual([100, 101, 102, 103, 104]);
  });

  test("an action that no rule names takes no room", () => {
    expect(index.match("call", "never-seen-1")).toBe(index.match("call", "never-seen-2"));
  });
});
