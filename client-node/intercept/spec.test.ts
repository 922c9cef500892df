import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fields } from "./spec.ts";

const read = fields("path", "options")("fs.readFile");
const write = fields("path", "data", "options")("fs.writeFile");

test("paths are shown as text: bytes as UTF-8, a file URL as its path, another URL as it is", () => {
  expect(read.project([Buffer.from("/tmp/a")])).toEqual({ path: "/tmp/a" });
  expect(read.project([new URL("file:///tmp/a%20b")])).toEqual({ path: "/tmp/a b" });
  expect(read.project([new URL("https://a.test/x")])).toEqual({ path: "https://a.test/x" });
  expect(read.project([new URL("file://host/a")])).toEqual({ path: "file://host/a" });
  expect(read.project([3])).toEqual({ path: 3 });
});

test("functions and undefined are left out, and what has no JSON form inside of options", () => {
  expect(read.project(["/a", () => {}])).toEqual({ path: "/a" });
  expect(read.project(["/a", undefined])).toEqual({ path: "/a" });
  const { signal } = new AbortController();
  expect(read.project(["/a", { flag: "r", signal, filter: () => true }])).toEqual({
    path: "/a",
    options: { flag: "r" },
  });
});

test("data is shown as it is up to 64 KiB, of more its length and digest", () => {
  const whole = Buffer.alloc(65_536, 1);
  expect(write.project(["/a", whole]).data).toEqual(new Uint8Array(whole));
  const long = Buffer.alloc(65_537, 1);
  const sha256 = createHash("sha256").update(long).digest("hex");
  expect(write.project(["/a", long]).data).toEqual({ bytes: 65_537, sha256 });
  expect(write.project(["/a", "\u0001".repeat(65_537)]).data).toEqual({ bytes: 65_537, sha256 });
});

test("options that are inherited count for Node: they are shown, and held as own ones", () => {
  const options = Object.create({ flag: "w" }) as object;
  const held = read.hold?.(["/a", options]) ?? [];
  expect(held).toEqual(["/a", { flag: "w" }]);
  expect(read.project(held)).toEqual({ path: "/a", options: { flag: "w" } });
});

test("what is an instance of its own is held as it is; views of bytes are copies; options of a class are read like any", () => {
  const map = new Map([[1, 2]]);
  const view = new DataView(Uint8Array.of(1, 2, 3).buffer, 1);
  const numbers = Float64Array.of(1.5);
  class Options {
    flag = "w";
  }
  const held = write.hold?.(["/a", [map, view, numbers], new Options()]) ?? [];
  const [same, viewCopy, numbersCopy] = held[1] as [unknown, DataView, Float64Array];
  expect(same).toBe(map);
  view.setUint8(0, 9);
  numbers[0] = 9;
  expect([viewCopy.byteLength, viewCopy.getUint8(0), numbersCopy]).toEqual([2, 2, Float64Array.of(1.5)]);
  expect(write.project(held).options).toEqual({ flag: "w" });
});

test("what only looks like a URL is held as the URL that is judged", () => {
  let reads = 0;
  const shifty = {
    protocol: "file:",
    get href() {
      reads += 1;
      return reads <= 2 ? "file:///good" : "file:///evil";
    },
  };
  const [path] = read.hold?.([shifty]) ?? [];
  expect(path).toBeInstanceOf(URL);
  expect(read.project([path])).toEqual({ path: (path as URL).pathname });
});

test("a rewrite replaces what it changed and nothing else", () => {
  const path = Buffer.from("/a");
  const { signal } = new AbortController();
  expect(read.apply([path, { flag: "r", signal }], { path: "/a", options: { flag: "w" } })).toEqual([
    path,
    { flag: "w", signal },
  ]);
  expect(read.apply(["/a"], { path: "/a", options: { flag: "w" } })).toEqual(["/a", { flag: "w" }]);
  expect(read.apply(["/a", "utf8"], { path: "/a" })).toEqual(["/a", undefined]);
});

test("property: a view that is not changed gives the very same arguments, and a held copy the same view", () => {
  const argument = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined), fc.uint8Array(), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
      const view = write.project(args);
      write.apply(args, view).forEach((value, at) => {
        expect(value).toBe(args[at]);
      });
      expect(write.project(write.hold?.(args) ?? [])).toEqual(view);
    }),
    { numRuns: 300 },
  );
});
