import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompactRange } from "../tree/compact-range.ts";
import { leafHash } from "../tree/tree-hash.ts";
import { tilePath } from "./tile-path.ts";
import { TileWriter } from "./tile-writer.ts";

const hashOf = (at: number): Uint8Array => new Uint8Array(createHash("sha256").update(`${at}`).digest());

const filesOf = (size: number): ReadonlyMap<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>();
  const tiles = new TileWriter((path, bytes) => {
    expect(files.has(path)).toBe(false);
    files.set(path, bytes);
  });
  for (let at = 0; at < size; at++) tiles.add(hashOf(at));
  tiles.end();
  return files;
};

describe("a tile's path", () => {
  it.each([
    [0, 0, 256, "tile/0/000"],
    [1, 7, 5, "tile/1/007.p/5"],
    ["entries", 999, 255, "tile/entries/999.p/255"],
    [0, 1_000, 256, "tile/0/x001/000"],
    [2, 1_234_067, 256, "tile/2/x001/x234/067"],
  ] as const)("level %s, index %i, width %i is %s", (level, index, width, path) => {
    expect(tilePath(level, index, width)).toBe(path);
  });
});

describe("the tiles of a log", () => {
  it("are these of 600 receipts", () => {
    expect([...filesOf(600).keys()].sort()).toEqual([
      "tile/0/000",
      "tile/0/001",
      "tile/0/002.p/88",
      "tile/1/000.p/2",
      "tile/entries/000",
      "tile/entries/001",
      "tile/entries/002.p/88",
    ]);
  });

  it("have the log's root, and its receipts' hashes, at any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_500 }), (size) => {
        const files = filesOf(size);
        const whole = CompactRange.empty();
        for (let at = 0; at < size; at++) whole.add(leafHash(hashOf(at)));
        // Every leaf hash, read back from the tiles of level 0 by their paths alone.
        const read = CompactRange.empty();
        for (let at = 0; at < size; at++) {
          const width = Math.min(256, size - Math.floor(at / 256) * 256);
          const tile = files.get(tilePath(0, Math.floor(at / 256), width))!;
          read.add(new Uint8Array(tile.subarray((at % 256) * 32, (at % 256) * 32 + 32)));
          const bundle = files.get(tilePath("entries", Math.floor(at / 256), width))!;
          const entry = bundle.subarray((at % 256) * 34, (at % 256) * 34 + 34);
          expect(Buffer.compare(entry, Buffer.concat([Buffer.from([0, 32]), hashOf(at)]))).toBe(0);
        }
        expect(Buffer.compare(read.root(), whole.root())).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  it("of a level are the roots of the tiles below, to the third level", () => {
    const size = 256 * 256 + 300;
    const files = filesOf(size);
    const rootOf = (bytes: Uint8Array): Uint8Array => {
      const range = CompactRange.empty();
      for (let at = 0; at < bytes.length; at += 32) range.add(new Uint8Array(bytes.subarray(at, at + 32)));
      return range.root();
    };
    const first = files.get("tile/1/000")!;
    for (const at of [0, 7, 255]) {
      const below = files.get(tilePath(0, at, 256))!;
      expect(Buffer.compare(first.subarray(at * 32, at * 32 + 32), rootOf(below))).toBe(0);
    }
    expect(Buffer.compare(files.get("tile/2/000.p/1")!, rootOf(first))).toBe(0);
    expect(files.has("tile/1/001.p/1")).toBe(true);
    expect(files.has("tile/0/257.p/44")).toBe(true);
  });
});
