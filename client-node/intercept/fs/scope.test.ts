import { expect, test } from "vitest";
import { covers, outOfScope } from "./scope.ts";
import { exportsOf, nodes, run } from "./testing/rig.ts";

test.each(nodes)(
  "every export of fs and fs/promises of Node %s is covered, or out of scope for a reason",
  async (_version, node) => {
    const names: string[] = JSON.parse((await run(node, [exportsOf])).stdout);
    expect(names.length).toBeGreaterThan(130);
    expect(names.filter((name) => !covers.includes(name) && !Object.hasOwn(outOfScope, name))).toEqual([]);
  },
);

test("nothing is both covered and out of scope, or listed twice", () => {
  expect(covers.filter((name) => Object.hasOwn(outOfScope, name))).toEqual([]);
  expect(new Set(covers).size).toBe(covers.length);
});
