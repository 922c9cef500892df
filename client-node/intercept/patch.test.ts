import fs, { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { guardedLike } from "../guarded.ts";
import { Patches } from "./patch.ts";

const like =
  (answer: unknown) =>
  (original: () => unknown): unknown =>
    guardedLike(() => answer, original);

test("a member is replaced with its attributes kept, and put back as it was", () => {
  const object = Object.defineProperty({}, "read", {
    value: () => 1,
    enumerable: false,
    configurable: true,
    writable: true,
  }) as { read(): number };
  const before = Object.getOwnPropertyDescriptor(object, "read");
  const patches = new Patches();
  expect(patches.replace(object, "read", like(2))).toBe(true);
  expect([object.read(), Object.keys(object)]).toEqual([2, []]);
  patches.uninstall();
  expect(Object.getOwnPropertyDescriptor(object, "read")).toEqual(before);
});

test("what is missing or guarded already is left alone, and what cannot be replaced is an error", () => {
  const object = { read: () => 1 };
  const patches = new Patches();
  expect(patches.replace(object, "write", like(2))).toBe(false);
  patches.replace(object, "read", like(2));
  expect(new Patches().replace(object, "read", like(3))).toBe(false);
  expect(object.read()).toBe(2);
  expect(() => patches.replace(Object.freeze({ read: () => 1 }), "read", like(2))).toThrow("cannot be guarded");
});

test("what somebody else has put over it stays when the guard goes", () => {
  const object = { read: () => 1 };
  const patches = new Patches();
  patches.replace(object, "read", like(2));
  const theirs = () => 3;
  object.read = theirs;
  patches.uninstall();
  expect(object.read).toBe(theirs);
});

test("a named import that was linked before follows, there and back", () => {
  const original = fs.existsSync;
  const patches = new Patches();
  patches.replace(fs, "existsSync", like("guarded"));
  patches.publish();
  expect(existsSync("/")).toBe("guarded");
  patches.uninstall();
  expect([fs.existsSync === original, existsSync("/")]).toEqual([true, true]);
});
