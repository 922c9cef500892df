import { describe, expect, test } from "vitest";
import { commitmentsOf } from "../commitments.ts";
import { decisionReceiptWriter } from "../decision-receipt.ts";
import { zeroHash } from "../hash.ts";
import { parseReceipt, type Receipt } from "../parse-receipt.ts";
import { controlReceipt } from "../receipt.ts";
import type { DecisionRecord } from "../record.ts";
import { control, decision } from "../test-records.ts";
import { NotAContext, parseContext } from "./context.ts";
import { judgeContext, missingIn } from "./judge-context.ts";

const chain = "a".repeat(32);
const link = { seq: 1, prev: zeroHash };
const [salt, final_salt] = ["0".repeat(32), "1".repeat(32)];

const receiptOf = (changes: Partial<DecisionRecord> = {}): Receipt => {
  const record = decision({ argsCanonical: '{"amount":100}', ...changes });
  const salts = { salt, final_salt: record.finalCanonical === null ? null : final_salt };
  const receipt = parseReceipt(decisionReceiptWriter(chain)(record, link, commitmentsOf(record, salts)));
  if (receipt === null) throw new Error("not a receipt");
  return receipt;
};

const contextOf = (context: object) => parseContext(Buffer.from(JSON.stringify(context)));
const commitment = (receipt: Receipt): string => (receipt.kind === "decision" && receipt.args_commitment) || "";

describe("what is a context", () => {
  test.each<[string, string, string]>([
    ["no JSON", "{", "syntax error"],
    ["a list", "[]", "not a JSON object"],
    ["a key twice", '{"action":"a","action":"b"}', "a key twice"],
    ["a misspelled key", '{"acton":"a"}', "keys that no context has"],
    ["an action that is none", '{"action":7}', "action is not a string"],
    ["a principal that is none", '{"principal":7}', "principal is not a string or null"],
    ["a short salt", '{"salt":"00"}', "salt is not 32 hex digits"],
    ["a commitment that is no text", '{"args_commitment":7}', "args_commitment is not a string"],
    ["two values", '{"arguments":{},"response":{}}', "more than one value"],
    ["a value and its commitment", '{"arguments":{},"args_commitment":"x"}', "more than one value"],
  ])("%s is refused", (_name, text, message) => {
    expect(() => parseContext(Buffer.from(text))).toThrow(NotAContext);
    expect(() => parseContext(Buffer.from(text))).toThrow(message);
  });

  test.each<[object, string | null]>([
    [{}, "action"],
    [{ arguments: {} }, "action"],
    [{ action: "a" }, "arguments"],
    [{ action: "a", principal: "p", call_id: "c" }, "arguments"],
    [{ action: "a", args_commitment: "x" }, null],
    [{ action: "a", response: 1 }, null],
  ])("of %j there is missing: %s", (context, field) => {
    expect(missingIn(contextOf(context))).toEqual(field === null ? null : { answer: "context_incomplete", field });
  });
});

describe("a receipt and a context", () => {
  const receipt = receiptOf();
  const whole = { action: "refund", principal: "agent-7", call_id: "c-1", arguments: { amount: 100 } };
  const judged = (context: object, of: Receipt = receipt, stored: string | null = salt) => {
    const { answer, field } = judgeContext(of, contextOf(context), stored);
    return field === null ? answer : `${answer}: ${field}`;
  };

  test("of the same call fit, by the value and its salt or by the commitment, and as much as is said of it", () => {
    expect(judged(whole)).toBe("verified");
    expect(judged({ action: "refund", arguments: { amount: 100 } })).toBe("verified");
    expect(judged({ action: "refund", args_commitment: commitment(receipt) }, receipt, null)).toBe("verified");
    expect(judged({ ...whole, salt }, receipt, null)).toBe("verified");
    expect(judged({ ...whole, surface: null })).toBe("verified");
  });

  test.each<[object, string]>([
    [{ action: "pay" }, "action"],
    [{ principal: "agent-8" }, "principal"],
    [{ principal: null }, "principal"],
    [{ call_id: "c-2" }, "call_id"],
    [{ call_id: null }, "call_id"],
    [{ arguments: { amount: 101 } }, "arguments"],
    [{ surface: `sha256:${"0".repeat(64)}` }, "surface"],
    [{ server: "files" }, "server"],
    [{ salt: final_salt }, "arguments"],
  ])("differ by %j", (change, field) => {
    expect(judged({ ...whole, ...change })).toBe(`context_mismatch: ${field}`);
  });

  test("a value whose salt is gone cannot be opened, which is not said to be another", () => {
    expect(judged(whole, receipt, null)).toBe("context_incomplete: salt");
  });

  test("a response is not arguments, and what may run instead has a salt of its own", () => {
    const rewritten = receiptOf({ finalCanonical: '{"amount":50}' });
    expect(judged({ action: "refund", final: { amount: 50 } }, rewritten, final_salt)).toBe("verified");
    expect(judged({ action: "refund", final: { amount: 50 } }, rewritten, salt)).toBe("context_mismatch: final");
    expect(judged({ action: "refund", final: { amount: 50 } })).toBe("context_mismatch: final");
    const result = receiptOf({ phase: "result" });
    expect(judged({ action: "refund", response: { amount: 100 } }, result)).toBe("verified");
    expect(judged({ action: "refund", arguments: { amount: 100 } }, result)).toBe("context_mismatch: arguments");
  });

  test("a receipt of version 1 binds too little, whatever fits; one of the daemon itself is of no call", () => {
    const old = { ...receipt, v: 1 } as unknown as Receipt;
    expect(judged(whole, old)).toBe("predates_binding");
    const own = parseReceipt(controlReceipt(control(), chain, link));
    expect(judged(whole, own as Receipt)).toBe("record_not_found");
  });
});
