import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataView } from "./argument-view.ts";
import { dataDigest } from "./data-digest.ts";

const expected = (pieces: readonly (string | Uint8Array)[]) => {
  const all = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  return { bytes: all.length, sha256: createHash("sha256").update(all).digest("hex") };
};

test("the digest is of the pieces one after the other, text as UTF-8", () => {
  const piece = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array());
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(dataDigest(pieces)).toEqual(expected(pieces));
    }),
  );
});

test.each([0, 1, 2, 3])("long text is hashed piece by piece, no character is cut in two: %d bytes before", (before) => {
  const text = `${"x".repeat(before)}${"\u{1f600}\ud800".repeat(400_000)}`;
  expect(dataDigest([text])).toEqual(expected([text]));
});

test("a list is shown as it is up to 64 KiB, of more the length and digest of what is written", () => {
  expect(dataView(["a", Buffer.from("b")])).toEqual(["a", new Uint8Array(Buffer.from("b"))]);
  const long = ["a".repeat(40_000), Buffer.alloc(40_000)];
  expect(dataView(long)).toEqual(expected(long));
  const many = Array.from({ length: 70_000 }, () => "");
  expect(dataView(many)).toEqual(expected([]));
  expect(dataView([{ a: 1 }, "b"])).toEqual([{ a: 1 }, "b"]);
});
