import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Head } from "../store/store.ts";
import { decisionReceiptWriter } from "./decision-receipt.ts";
import { commitmentTo, receiptHash, zeroHash } from "./hash.ts";
import { controlReceipt } from "./receipt.ts";
import { control, decision } from "./test-records.ts";
import { verifyChain } from "./test-verify-chain.ts";
import { beforeFirst, ChainWalk, type StoredReceipt } from "./verify.ts";

const chain = "ab".repeat(16);
const commitment = { put: commitmentTo("arguments", "00".repeat(16), "{}"), final: null };

/** A chain of `count` receipts after `after`; `mark` tells two chains apart. */
const chainOf = (count: number, mark = "m", after: Head = beforeFirst, id = chain): StoredReceipt[] => {
  const write = decisionReceiptWriter(id);
  const rows: StoredReceipt[] = [];
  let prev = after.hash;
  for (let seq = after.seq + 1; seq <= after.seq + count; seq++) {
    const link = { seq, prev };
    const receipt =
      seq % 4 === 0
        ? controlReceipt(control({ detail: mark }), id, link)
        : write(decision({ reason: mark }), link, commitment);
    prev = receiptHash(receipt);
    rows.push({ seq, receipt, hash: prev });
  }
  return rows;
};

const findingOf = (rows: Iterable<StoredReceipt>, expected: Head | null = null): unknown => {
  const verified = verifyChain(chain, rows, expected, () => {});
  return verified.whole ? null : verified.finding;
};

const headOf = (rows: readonly StoredReceipt[], seq: number): Head => ({ seq, hash: rows[seq - 1]!.hash });

test("a whole chain verifies, and so does an empty one", () => {
  const rows = chainOf(9);
  expect(verifyChain(chain, rows, null, () => {})).toEqual({ whole: true, chain, head: headOf(rows, 9), receipts: 9 });
  expect(verifyChain(chain, [], null, () => {})).toEqual({ whole: true, chain, head: beforeFirst, receipts: 0 });
});

test("a long chain tells its progress", () => {
  const told: number[] = [];
  verifyChain(chain, chainOf(65_537), null, (receipts) => told.push(receipts));
  expect(told).toEqual([65_536]);
});

describe("is found, and named where it is", () => {
  const rows = chainOf(8);
  const edit = (seq: number, change: (row: StoredReceipt) => StoredReceipt): StoredReceipt[] =>
    rows.map((row) => (row.seq === seq ? change(row) : row));
  const edited = (row: StoredReceipt): StoredReceipt => ({ ...row, receipt: row.receipt.replace("ALLOW", "BLOCK") });
  const rehashed = (row: StoredReceipt): StoredReceipt => ({ ...edited(row), hash: receiptHash(edited(row).receipt) });
  const without = (...seqs: number[]): StoredReceipt[] => rows.filter(({ seq }) => !seqs.includes(seq));
  const other = chainOf(8, "other");

  const cases: [string, readonly StoredReceipt[], { seq: number; problem: string }][] = [
    ["an edited receipt", edit(3, edited), { seq: 3, problem: "edited" }],
    ["an edited newest receipt", edit(8, (row) => ({ ...row, hash: zeroHash })), { seq: 8, problem: "edited" }],
    ["an edited receipt with a new hash", edit(3, rehashed), { seq: 4, problem: "unlinked" }],
    ["a text that is no receipt", edit(3, (row) => ({ ...row, receipt: "{}" })), { seq: 3, problem: "malformed" }],
    [
      "the same receipt written otherwise",
      edit(3, (row) => ({ ...row, receipt: `${row.receipt} ` })),
      { seq: 3, problem: "malformed" },
    ],
    ["a receipt that is missing", without(5), { seq: 6, problem: "gap" }],
    ["a first receipt that is missing", without(1), { seq: 2, problem: "gap" }],
    [
      "two receipts that changed places",
      [...rows.slice(0, 2), rows[3]!, rows[2]!, ...rows.slice(4)],
      { seq: 4, problem: "gap" },
    ],
    ["a receipt that comes again later", [...rows.slice(0, 5), rows[2]!], { seq: 3, problem: "reordered" }],
    ["two receipts for one place", [...rows.slice(0, 5), other[4]!], { seq: 5, problem: "forked" }],
    ["a receipt in another's row", edit(3, (row) => ({ ...row, seq: 30 })), { seq: 30, problem: "moved" }],
    ["the rest of another history", [...rows.slice(0, 4), ...other.slice(4)], { seq: 5, problem: "unlinked" }],
    ["another chain", chainOf(3, "m", beforeFirst, "cd".repeat(16)), { seq: 1, problem: "wrong_chain" }],
  ];
  test.each(cases)("%s", (_name, changed, finding) => {
    expect(findingOf(rows)).toBeNull();
    expect(findingOf(changed)).toEqual(finding);
  });
});

describe("against a head that was noted elsewhere", () => {
  const rows = chainOf(8);
  test("receipts after it are welcome", () => {
    for (let seq = 1; seq <= 8; seq++) expect(findingOf(rows, headOf(rows, seq))).toBeNull();
  });
  test("receipts cut off at the end are noticed, and without it they are not", () => {
    expect(findingOf(rows.slice(0, 6), headOf(rows, 8))).toEqual({ seq: 6, problem: "truncated" });
    expect(findingOf([], headOf(rows, 8))).toEqual({ seq: 0, problem: "truncated" });
    expect(findingOf(rows.slice(0, 6))).toBeNull();
  });
  test("a history written anew is noticed, and without it it is not", () => {
    const anew = chainOf(8, "anew");
    expect(findingOf(anew, headOf(rows, 8))).toEqual({ seq: 8, problem: "head_mismatch" });
    expect(findingOf(anew)).toBeNull();
  });
  test("a part that begins after it cannot be compared, and says so", () => {
    const walk = new ChainWalk(chain, headOf(rows, 5), headOf(rows, 3));
    for (const row of rows.slice(5)) expect(walk.take(row)).toBeNull();
    expect(walk.end()).toEqual({ seq: 6, problem: "head_outside" });
  });
  test("a part that begins right after it is compared with what it begins after", () => {
    const forged = { seq: 5, hash: zeroHash };
    expect(new ChainWalk(chain, headOf(rows, 5), headOf(rows, 5)).end()).toBeNull();
    expect(new ChainWalk(chain, forged, headOf(rows, 5)).end()).toEqual({ seq: 5, problem: "head_mismatch" });
  });
});

test("any single change of any character of any receipt is found", () => {
  const rows = chainOf(6);
  fc.assert(
    fc.property(fc.nat(5), fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), (at, place, unit) => {
      const row = rows[at]!;
      const index = place % row.receipt.length;
      const receipt = row.receipt.slice(0, index) + String.fromCharCode(unit) + row.receipt.slice(index + 1);
      fc.pre(receipt !== row.receipt);
      expect(findingOf(rows.with(at, { ...row, receipt }))).not.toBeNull();
      expect(findingOf(rows.with(at, { ...row, receipt, hash: receiptHash(receipt) }), headOf(rows, 6))).not.toBeNull();
    }),
  );
});
