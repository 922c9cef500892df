import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompactRange } from "./compact-range.ts";
import { consistencyNodes, provesConsistency } from "./consistency.ts";
import { inclusionNodes, provesInclusion } from "./inclusion.ts";
import type { Leaves } from "./subtrees.ts";
import { leafHash, leafHashOfHex, nodeHash, type TreeHash } from "./tree-hash.ts";

const sha256 = (...parts: readonly Uint8Array[]): TreeHash => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const same = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

/** Section 2.1 of RFC 6962 word by word, and nothing shared with what it is compared to. */
const rootOf = (leaves: readonly TreeHash[]): TreeHash => {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(new Uint8Array([1]), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
};

const leavesOf = (count: number): readonly TreeHash[] =>
  Array.from({ length: count }, (_, at) => same(leafHash(sha256(Buffer.from(`leaf ${at}`)))));

/** A proof's nodes, each by its leaves. */
const hashesOf = (nodes: readonly Leaves[], leaves: readonly TreeHash[]): readonly TreeHash[] =>
  nodes.map(({ from, to }) => rootOf(leaves.slice(from, to)));

const rangeOf = (leaves: readonly TreeHash[]): CompactRange => {
  const range = CompactRange.empty();
  for (const leaf of leaves) range.add(leaf);
  return range;
};

/** The vectors that certificate transparency's implementations share: eight leaves, and the root after each. */
const sharedLeaves = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map((data) => sha256(new Uint8Array([0]), Buffer.from(data, "hex")));
const sharedRoots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

describe("the tree", () => {
  it("has the roots that are known of eight leaves", () => {
    const range = CompactRange.empty();
    expect(hex(range.root())).toBe(sharedRoots[0]);
    for (const [at, leaf] of sharedLeaves.entries()) {
      range.add(leaf);
      expect(hex(range.root())).toBe(sharedRoots[at + 1]);
    }
  });

  it("hashes a leaf and a node under bytes of their own", () => {
    const [one, other] = [sha256(Buffer.from("a")), sha256(Buffer.from("b"))];
    expect(hex(leafHash(one))).toBe(hex(sha256(new Uint8Array([0]), one)));
    expect(hex(leafHashOfHex(hex(one)))).toBe(hex(leafHash(one)));
    expect(hex(nodeHash(one, other))).toBe(hex(sha256(new Uint8Array([1]), one, other)));
    expect(() => leafHash(one.subarray(1))).toThrow(RangeError);
    expect(() => leafHashOfHex("xy")).toThrow(RangeError);
    expect(() => leafHashOfHex(hex(one).slice(2))).toThrow(RangeError);
  });

  it("has the RFC's root, however often it is resumed from its frontier", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (before, more) => {
        const leaves = leavesOf(before + more);
        const range = rangeOf(leaves.slice(0, before));
        expect(hex(range.root())).toBe(hex(rootOf(leaves.slice(0, before))));
        const resumed = CompactRange.resume(before, range.frontier());
        for (const leaf of leaves.slice(before)) resumed?.add(leaf);
        expect(resumed?.size).toBe(before + more);
        expect(hex(resumed?.root() ?? new Uint8Array())).toBe(hex(rootOf(leaves)));
      }),
      { numRuns: 60 },
    );
  });

  it("grows past what 32 bits count", () => {
    const size = 2 ** 40 - 1;
    const frontier = Array.from({ length: 40 }, (_, at) => hex(sha256(Buffer.from(`${at}`))));
    const range = CompactRange.resume(size, frontier);
    const leaf = leavesOf(1)[0]!;
    range?.add(leaf);
    const whole = frontier.reduceRight<TreeHash>((right, left) => nodeHash(Buffer.from(left, "hex"), right), leaf);
    expect(range?.frontier()).toEqual([hex(whole)]);
  });

  it.each([
    ["a root too few", 3, 1],
    ["a root too many", 4, 2],
    ["a size below 0", -1, 0],
    ["half a leaf", 0.5, 0],
  ])("is not resumed from %s", (_what, size, count) => {
    expect(CompactRange.resume(size, Array(count).fill("a".repeat(64)))).toBeNull();
  });

  it("is not resumed from what is no hash", () => {
    expect(CompactRange.resume(1, ["A".repeat(64)])).toBeNull();
    expect(CompactRange.resume(1, ["a".repeat(63)])).toBeNull();
  });
});

const sizes = fc.integer({ min: 1, max: 130 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));

describe("an inclusion proof", () => {
  it("proves each leaf, at its place and in its tree alone", () => {
    fc.assert(
      fc.property(sizes, ([size, index]) => {
        const leaves = leavesOf(size);
        const tree = { index, size, root: rootOf(leaves) };
        const proof = hashesOf(inclusionNodes(index, size), leaves);
        expect(provesInclusion(tree, leaves[index]!, proof)).toBe(true);
        expect(provesInclusion(tree, sha256(Buffer.from("another")), proof)).toBe(false);
        expect(provesInclusion({ ...tree, root: sha256(Buffer.from("another")) }, leaves[index]!, proof)).toBe(false);
        expect(provesInclusion(tree, leaves[index]!, [...proof, tree.root])).toBe(false);
        if (size > 1) {
          expect(provesInclusion({ ...tree, index: (index + 1) % size }, leaves[index]!, proof)).toBe(false);
          expect(provesInclusion(tree, leaves[index]!, proof.slice(1))).toBe(false);
          const other = proof.map((node, at) => (at === proof.length - 1 ? sha256(node) : node));
          expect(provesInclusion(tree, leaves[index]!, other)).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [-1, 3],
    [3, 3],
    [0, 0],
    [0.5, 3],
    [0, Number.POSITIVE_INFINITY],
  ])("is neither made nor believed of leaf %s in %s", (index, size) => {
    expect(() => inclusionNodes(index, size)).toThrow(RangeError);
    expect(provesInclusion({ index, size, root: sharedLeaves[0]! }, sharedLeaves[0]!, [])).toBe(false);
  });

  it("is the one that is known of the eight leaves", () => {
    const proof = hashesOf(inclusionNodes(5, 8), sharedLeaves).map(hex);
    expect(proof).toEqual([
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
  });
});

describe("a consistency proof", () => {
  it("proves that a tree continues another, and no other", () => {
    fc.assert(
      fc.property(sizes, ([newer, before]) => {
        const older = before + 1;
        const leaves = leavesOf(newer);
        const was = { size: older, root: rootOf(leaves.slice(0, older)) };
        const is = { size: newer, root: rootOf(leaves) };
        const proof = hashesOf(consistencyNodes(older, newer), leaves);
        const another = sha256(Buffer.from("another"));
        expect(provesConsistency(was, is, proof)).toBe(true);
        expect(provesConsistency({ ...was, root: another }, is, proof)).toBe(false);
        expect(provesConsistency(was, { ...is, root: another }, proof)).toBe(false);
        expect(provesConsistency(was, is, [...proof, another])).toBe(false);
        if (proof.length > 0) {
          expect(provesConsistency(was, is, proof.slice(0, -1))).toBe(false);
          expect(provesConsistency(was, is, [...proof.slice(0, -1), another])).toBe(false);
        }
        if (older < newer) expect(provesConsistency({ ...was, size: older + 1 }, is, proof)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [0, 3],
    [4, 3],
    [1.5, 3],
  ])("is neither made nor believed from %s to %s leaves", (older, newer) => {
    const root = sharedLeaves[0]!;
    expect(() => consistencyNodes(older, newer)).toThrow(RangeError);
    expect(provesConsistency({ size: older, root }, { size: newer, root }, [])).toBe(false);
  });

  it("is the one that is known of the eight leaves", () => {
    const proof = hashesOf(consistencyNodes(6, 8), sharedLeaves).map(hex);
    expect(proof).toEqual([
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
  });
});
