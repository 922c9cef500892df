import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../wire/canonical.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import { argumentPath, locOf, readPath } from "./argument-path.ts";

const read = (args: WireObject, path: string) => readPath(args, argumentPath(path, "test"));
const value = (loc: string, found: WireValue) => ({ loc, kind: "value", value: found });

describe("a path into arguments", () => {
  it.each([
    ["amount", { amount: 1 }, [value("amount", 1)]],
    ["order.total", { order: { total: 2 } }, [value("order.total", 2)]],
    ["items[1].url", { items: [{}, { url: "u" }] }, [value("items[1].url", "u")]],
    ["items[].n", { items: [{ n: 1 }, { n: 2 }] }, [value("items[0].n", 1), value("items[1].n", 2)]],
    ["a[][]", { a: [[1], [2, 3]] }, [value("a[0][0]", 1), value("a[1][0]", 2), value("a[1][1]", 3)]],
    ['["a.b"]', { "a.b": 1 }, [value('["a.b"]', 1)]],
    ['x["a b"].c', { x: { "a b": { c: 1 } } }, [value('x["a b"].c', 1)]],
  ] as const)("%s reads what stands there", (path, args, found) => {
    expect(read(args, path)).toEqual(found);
  });

  it.each([
    ["amount", {}, "amount", "missing"],
    ["amount", { Amount: 1 }, "amount", "missing"],
    ["order.total", { order: null }, "order.total", "missing"],
    ["order.total", { order: [{ total: 1 }] }, "order.total", "misshapen"],
    ["order.total", { order: "total" }, "order.total", "misshapen"],
    ["order.length", { order: [1] }, "order.length", "misshapen"],
    ["items[].n", { items: { n: 1 } }, "items[]", "misshapen"],
    ["items[].n", { items: [{}] }, "items[0].n", "missing"],
    ["items[3]", { items: [1] }, "items[3]", "missing"],
    ["items[0]", { items: "text" }, "items[0]", "misshapen"],
    ["toString", {}, "toString", "missing"],
    ["__proto__", {}, "__proto__", "missing"],
    ["data.length", { data: new Uint8Array(3) }, "data.length", "misshapen"],
  ] as const)("%s of %j is not there", (path, args, loc, kind) => {
    expect(read(args as WireObject, path)).toEqual([{ loc, kind }]);
  });

  it("finds nothing in an empty list, which is not missing", () => {
    expect(read({ items: [] }, "items[].n")).toEqual([]);
  });

  it("reads an own __proto__ as any other key", () => {
    expect(read(JSON.parse('{"__proto__":{"a":1}}'), "__proto__.a")).toEqual([value("__proto__.a", 1)]);
  });

  it.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a[",
    "a[-1]",
    "a[01]",
    "a[x]",
    "[0]",
    "[]",
    "a b",
    'a["',
    'a["\\x"]',
    "a[]b",
    "x".repeat(513),
    7,
    null,
  ])("is refused where it is %j", (text) => {
    expect(() => argumentPath(text, "here")).toThrow("here: a path is written like");
  });

  it("finds every leaf of any value by its own loc, and nothing else there", () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<WireValue>;
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), json), (args) => {
        for (const [loc, leaf] of leavesOf(args, "")) {
          if (loc.length > 512) continue;
          expect(read(args, loc)).toEqual([value(loc, leaf)]);
        }
      }),
    );
  });

  it("reads any value at any path without an error", () => {
    const step = fc.constantFrom("a", "[]", "[0]", '["x y"]', ".b", ".a");
    const path = fc.array(step, { maxLength: 6 }).map((steps) => `a${steps.join("").replace(/(^|[^.])a/g, "$1.a")}`);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "x y"), fc.jsonValue()), path, (args, text) => {
        const before = canonical(args);
        try {
          for (const found of read(args as WireObject, text))
            expect(["value", "missing", "misshapen"]).toContain(found.kind);
        } catch (error) {
          expect((error as Error).name).toBe("RuleDefinitionError");
        }
        expect(canonical(args)).toBe(before);
      }),
    );
  });
});

const leavesOf = (from: WireValue, loc: string): [string, WireValue][] => {
  if (typeof from !== "object" || from === null) return [[loc, from]];
  const members = Array.isArray(from) ? [...from.entries()] : Object.entries(from);
  return members.flatMap(([step, inner]) => leavesOf(inner as WireValue, locOf(loc, step)));
};
