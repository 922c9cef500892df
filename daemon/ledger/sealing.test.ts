import { randomBytes } from "node:crypto";
import fc from "fast-check";
import nacl from "tweetnacl";
import { expect, test } from "vitest";
import { sealer } from "./sealing.ts";

const key = randomBytes(32);

test("opens what it sealed, at the same place and under the same key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(sealer(key).open("c:1", sealer(key).seal("c:1", text))).toBe(text);
    }),
  );
});

test("a box does not show what it holds, and no two are the same", () => {
  const [first, second] = [sealer(key).seal("c:1", "secret-value"), sealer(key).seal("c:1", "secret-value")];
  expect(Buffer.from(first).includes("secret-value")).toBe(false);
  expect(Buffer.compare(first, second)).not.toBe(0);
});

test.each([
  ["moved to another receipt", (box: Uint8Array) => sealer(key).open("c:2", box)],
  ["moved to a receipt whose place begins alike", (box: Uint8Array) => sealer(key).open("c", box)],
  ["under another key", (box: Uint8Array) => sealer(randomBytes(32)).open("c:1", box)],
  ["cut short", (box: Uint8Array) => sealer(key).open("c:1", box.slice(0, -1))],
  ["shorter than its nonce", (box: Uint8Array) => sealer(key).open("c:1", box.slice(0, 8))],
  [
    "with one bit changed",
    (box: Uint8Array) =>
      sealer(key).open(
        "c:1",
        box.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
      ),
  ],
])("a box does not open %s", (_name, open) => {
  expect(open(sealer(key).seal("c:1", "text"))).toBeNull();
});

test("a box is the nonce and what secretbox makes, no more", () => {
  const box = sealer(key).seal("c:1", "text");
  expect(box.length).toBe(nacl.secretbox.nonceLength + nacl.secretbox.overheadLength + "c:1\ntext".length);
});
