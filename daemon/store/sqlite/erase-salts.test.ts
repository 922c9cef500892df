import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openCommitment } from "../../ledger/open-commitment.ts";
import { parseReceipt } from "../../ledger/parse-receipt.ts";
import { decision } from "../../ledger/test-records.ts";
import { openAt, temporaryState } from "../../ledger/test-state.ts";
import { verifyChain } from "../../ledger/test-verify-chain.ts";
import type { StateDirectory } from "../state-directory.ts";
import { step } from "../steps.ts";
import type { ReceiptRow } from "../store.ts";
import { eraseSalts } from "./erase-salts.ts";
import { openReceiptReader } from "./read-receipts.ts";

const both = ["salt", "final_salt"] as const;

test("a salt opens its commitment; erased beside a running ledger it is gone from the files, and the chain is whole", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const argsCanonical = '{"amount":100}';
  ledger.append([decision({ argsCanonical }), decision({ argsCanonical })]);
  expect(() => eraseSalts(state, 1, both)).toThrow("still in the journal");
  ledger.settle();
  const reader = openReceiptReader(state);
  const row = reader.find(1);
  const receipt = parseReceipt(row?.receipt ?? "");
  const salt = row?.salt ?? "";
  if (receipt?.kind !== "decision") throw new Error("not a decision");
  expect(openCommitment(receipt, "arguments", salt, argsCanonical)).toBe(true);
  expect(openCommitment(receipt, "arguments", salt, '{"amount":101}')).toBe(false);
  expect(openCommitment(receipt, "response", salt, argsCanonical)).toBe(false);
  expect(openCommitment(receipt, "final", salt, argsCanonical)).toBe(false);
  const other = salt.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  expect(openCommitment(receipt, "arguments", other, argsCanonical)).toBe(false);
  expect(openCommitment(receipt, "arguments", "", argsCanonical)).toBe(false);

  expect(eraseSalts(state, 1, both)).toBe(true);
  expect(eraseSalts(state, 1, both)).toBe(false);
  expect(eraseSalts(state, 9, both)).toBe(false);
  expect(reader.find(1)?.salt).toBeNull();
  expect(reader.find(2)?.salt).toMatch(/^[0-9a-f]{32}$/);
  expect(ledger.append([decision()])).toEqual([{ durable: true, seq: 3 }]);
  expect(verifyChain(reader.chain, reader.rows(1, 3), null, () => {})).toMatchObject({ whole: true, receipts: 3 });
  reader.close();
  ledger.close();
  expect(readFileSync(state.ledgerPath).includes(salt)).toBe(false);
});

/** Receipts in pages that were moved as the tree of pages grew, and the salt of each. */
const grown = (): { readonly state: StateDirectory; readonly salts: readonly string[] } => {
  const state = temporaryState();
  const ledger = openAt(state);
  for (let group = 0; group < 60; group++) {
    ledger.append(Array.from({ length: 1 + (group % 9) }, () => decision({ reason: "r".repeat(11 * group) })));
    ledger.settle();
  }
  ledger.close();
  const reader = openReceiptReader(state);
  const salts = [...reader.rows(1, reader.newestSeq())].map(({ salt }) => salt ?? "");
  reader.close();
  return { state, salts };
};

const leftIn = ({ ledgerPath }: StateDirectory, salts: readonly string[]): readonly number[] => {
  const file = readFileSync(ledgerPath);
  return salts.flatMap((salt, at) => (file.includes(salt) ? [at + 1] : []));
};

test("no copy of an erased salt stays in the file, wherever the database had moved the receipt", () => {
  const { state, salts } = grown();
  const erased = salts.slice(0, 40);
  for (const [at] of erased.entries()) expect(eraseSalts(state, at + 1, ["salt"])).toBe(true);
  expect(leftIn(state, erased)).toEqual([]);
});

test("no salt of a pruned receipt stays in the file", () => {
  const { state, salts } = grown();
  const ledger = openAt(state);
  const through = 200;
  const { hash } = ledger.find(through) as ReceiptRow;
  ledger.change(function* (tx) {
    yield* step(tx.prune({ through, hash, frontier: [], time_ms: 1 }));
  });
  ledger.close();
  expect(leftIn(state, salts)).toEqual(salts.slice(through).map((_, at) => through + at + 1));
});

test("the salt of what was put goes without the one of what runs instead, and the other way round", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const [argsCanonical, finalCanonical] = ['{"amount":100}', '{"amount":50}'];
  ledger.append([decision({ argsCanonical, finalCanonical }), decision({ argsCanonical, finalCanonical })]);
  ledger.settle();
  const reader = openReceiptReader(state);
  const [first, second] = [reader.find(1), reader.find(2)];
  const salts = [first?.salt, first?.final_salt, second?.salt, second?.final_salt];
  expect(new Set(salts).size).toBe(4);
  for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);

  expect(eraseSalts(state, 1, ["salt"])).toBe(true);
  expect(reader.find(1)).toEqual({ ...first, salt: null });
  expect(eraseSalts(state, 2, ["final_salt"])).toBe(true);
  expect(eraseSalts(state, 2, ["final_salt"])).toBe(false);
  expect(reader.find(2)).toEqual({ ...second, final_salt: null });

  const left = [reader.find(1), reader.find(2)];
  const opens = left.map((row) => {
    const receipt = parseReceipt(row?.receipt ?? "");
    if (receipt?.kind !== "decision") throw new Error("not a decision");
    return [
      openCommitment(receipt, "arguments", row?.salt ?? "", argsCanonical),
      openCommitment(receipt, "final", row?.final_salt ?? "", finalCanonical),
    ];
  });
  expect(opens).toEqual([
    [false, true],
    [true, false],
  ]);
  reader.close();
  ledger.close();
  const file = readFileSync(state.ledgerPath);
  expect(salts.map((salt) => file.includes(salt ?? ""))).toEqual([false, true, true, false]);
});
