import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openCommitment } from "../../ledger/open-commitment.ts";
import { parseReceipt } from "../../ledger/parse-receipt.ts";
import { decision } from "../../ledger/test-records.ts";
import { openAt, temporaryState } from "../../ledger/test-state.ts";
import { verifyChain } from "../../ledger/verify.ts";
import { eraseSalt } from "./erase-salt.ts";
import { openReceiptReader } from "./read-receipts.ts";

test("the salt opens the commitment; erased beside a running ledger it is gone from the files, and the chain is whole", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const argsCanonical = '{"amount":100}';
  ledger.append([decision({ argsCanonical }), decision({ argsCanonical })]);
  expect(() => eraseSalt(state, 1)).toThrow("still in the journal");
  ledger.settle();
  const reader = openReceiptReader(state);
  const row = reader.find(1);
  const receipt = parseReceipt(row?.receipt ?? "");
  const salt = row?.salt ?? "";
  if (receipt?.kind !== "decision") throw new Error("not a decision");
  expect(openCommitment(receipt, salt, argsCanonical)).toBe(true);
  expect(openCommitment(receipt, salt, '{"amount":101}')).toBe(false);
  expect(
    openCommitment(
      receipt,
      salt.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
      argsCanonical,
    ),
  ).toBe(false);
  expect(openCommitment(receipt, "", argsCanonical)).toBe(false);

  expect(eraseSalt(state, 1)).toBe(true);
  expect(eraseSalt(state, 1)).toBe(false);
  expect(eraseSalt(state, 9)).toBe(false);
  expect(reader.find(1)?.salt).toBeNull();
  expect(reader.find(2)?.salt).toMatch(/^[0-9a-f]{32}$/);
  expect(ledger.append([decision()])).toEqual([{ durable: true, seq: 3 }]);
  expect(verifyChain(reader.chain, reader.rows(1, 3), null, () => {})).toMatchObject({ whole: true, receipts: 3 });
  reader.close();
  ledger.close();
  expect(readFileSync(state.ledgerPath).includes(salt)).toBe(false);
});
