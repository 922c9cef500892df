import { expect, test } from "vitest";
import { isApprovalId, isTransactionId, newApprovalId, newTransactionId } from "./ids.ts";

test("ids have their form and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, () => newTransactionId());
  expect(ids.every(isTransactionId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(isApprovalId(newApprovalId())).toBe(true);
});

test("ids sort by their time", () => {
  const times = [0, 1, 63, 64, 4_095, 1_796_000_000_000, 1_796_000_000_001, 2 ** 47];
  const ids = times.map(newTransactionId);
  expect(ids.toSorted()).toEqual(ids);
});

test.each([
  ["one of the other kind", newApprovalId()],
  ["one that is cut short", newTransactionId().slice(0, -1)],
  ["one with a line feed behind it", `${newTransactionId().slice(0, -1)}\n`],
  ["one with another character", `tx_${"+".repeat(22)}`],
  ["nothing", ""],
])("%s is no transaction id", (_name, text) => {
  expect(isTransactionId(text)).toBe(false);
});
