import { expect, it } from "vitest";
import { importsOf } from "./syntax.ts";

it.each([
  ["a statement", 'import { a } from "./a.ts";'],
  ["a side effect", 'import "./a.ts";'],
  ["a type", 'import type { A } from "./a.ts";'],
  ["a named re-export", 'export { a } from "./a.ts";'],
  ["a re-export of everything", 'export * from "./a.ts";'],
  ["a re-export of a type", 'export type { A } from "./a.ts";'],
  ["an import() in a function", 'const f = async () => { await import("./a.ts"); };'],
  ["a type by import()", 'type A = import("./a.ts").A;'],
  ["a require()", 'const a = require("./a.ts");'],
  ["a worker's file", 'new Worker(new URL("./a.ts", import.meta.url));'],
])("finds %s", (_, text) => {
  expect(importsOf("x.ts", text)).toEqual(["./a.ts"]);
});

it("finds nothing in comments, strings and other calls", () => {
  const text =
    'const a = "import b from \\"./b.ts\\""; // import c from "./c.ts"\nnew URL("https://example.org"); f("./d.ts");';
  expect(importsOf("x.ts", text)).toEqual([]);
});

it("refuses a file that does not parse", () => {
  expect(() => importsOf("x.ts", "const = 1")).toThrow("x.ts: ");
});
