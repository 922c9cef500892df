import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../wire/canonical.ts";
import { decisionReceiptWriter } from "./decision-receipt.ts";
import { argsCommitment, receiptHash, zeroHash } from "./hash.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { controlReceipt } from "./receipt.ts";
import { control, decision } from "./test-records.ts";

const chain = "0123456789abcdef".repeat(2);
const commitment = argsCommitment("00".repeat(16), '{"amount":100}');
const link = { seq: 7, prev: zeroHash };

describe("receipt bytes (pinned: another verifier reads them)", () => {
  test("a decision", () => {
    expect(decisionReceiptWriter(chain)(decision(), link, commitment)).toBe(
      '{"action":"refund","args_commitment":"sha256:a5740f7f9522b3e8d1903ff277833e776f10ec9216b4e787fb3d1584dbb2f5ba",' +
        '"attributed_to":null,"call_id":"c-1",' +
        '"chain":"0123456789abcdef0123456789abcdef","code":"allowed","kept":false,"kind":"decision",' +
        '"parent_principal":null,"phase":"call","policy_id":"refunds.owner",' +
        '"prev":"0000000000000000000000000000000000000000000000000000000000000000","principal":"agent-7",' +
        '"principal_source":"claimed","reason":"every rule is satisfied","request":"r-1",' +
        '"rules":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","seq":7,' +
        '"session":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","span_id":null,"time_ms":1760000000000,' +
        '"trace":["identity:SKIP","rules/refunds.owner:ALLOW"],"transaction_id":null,"v":1,"verdict":"ALLOW"}',
    );
  });

  test("a control record", () => {
    expect(controlReceipt(control(), chain, link)).toBe(
      '{"chain":"0123456789abcdef0123456789abcdef","detail":"2 rule sets","event":"started","kind":"control",' +
        '"prev":"0000000000000000000000000000000000000000000000000000000000000000",' +
        '"rules":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","rules_before":null,' +
        '"seq":7,"time_ms":1760000000000,"v":1}',
    );
  });

  test("the hash and the commitment, each over its own first line", () => {
    expect(receiptHash("{}")).toBe("9b20b6f0a374789fca44d69f04f6474089568f51200cc4106017e8977e8651e7");
    expect(commitment).toBe("sha256:a5740f7f9522b3e8d1903ff277833e776f10ec9216b4e787fb3d1584dbb2f5ba");
  });
});

const text = fc.string({ unit: "grapheme", maxLength: 24 });
const textOrNull = fc.option(text);
const records = fc.record({
  time_ms: fc.maxSafeNat(),
  action: fc.constantFrom("refund", "fs.readFile", 'a"b', "é\u2028\u0000"),
  phase: fc.constantFrom("call" as const, "result" as const),
  principal: textOrNull,
  principal_source: fc.constantFrom("claimed" as const, "configured" as const, "token" as const),
  parent_principal: textOrNull,
  span_id: textOrNull,
  call_id: textOrNull,
  session: fc.option(fc.constantFrom("a".repeat(32), "b".repeat(32))),
  request: text,
  verdict: fc.constantFrom("ALLOW" as const, "BLOCK" as const, "MODIFY" as const, "ESCALATE" as const),
  code: fc.constantFrom("allowed" as const, "rule_blocked" as const),
  reason: text,
  policy_id: textOrNull,
  attributed_to: textOrNull,
  rules: fc.constantFrom(`sha256:${"1".repeat(64)}`, `sha256:${"2".repeat(64)}`),
  transaction_id: textOrNull,
  traceJson: fc.array(text, { maxLength: 4 }).map((trace) => canonical(trace)),
  argsCanonical: fc.constant("{}"),
  keep: fc.option(fc.constant("kept")),
  capture: fc.constant(null),
});

test("every receipt of a long run equals the canonical form of what it parses to, whatever came before it", () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 12 }), (run) => {
      const write = decisionReceiptWriter(chain);
      for (const [index, record] of run.entries()) {
        const receipt = write(record, { seq: index + 1, prev: zeroHash }, commitment);
        expect(receipt).toBe(canonical(JSON.parse(receipt)));
        const { argsCanonical: _args, capture: _capture, traceJson, keep, ...fields } = record;
        expect(parseReceipt(receipt)).toEqual({
          ...fields,
          args_commitment: commitment,
          chain,
          kept: keep !== null,
          kind: "decision",
          prev: zeroHash,
          seq: index + 1,
          trace: JSON.parse(traceJson),
          v: 1,
        });
      }
    }),
  );
});

test("control receipts equal the canonical form of what they parse to", () => {
  fc.assert(
    fc.property(text, fc.maxSafeNat(), (detail, time_ms) => {
      const receipt = controlReceipt(control({ detail, time_ms }), chain, link);
      expect(receipt).toBe(canonical(JSON.parse(receipt)));
      expect(parseReceipt(receipt)).toMatchObject({ kind: "control", detail, time_ms });
    }),
  );
});

describe("what has no receipt", () => {
  const write = decisionReceiptWriter(chain);
  test.each([
    ["a lone surrogate in a name", { action: "\ud800" }, "action is not well-formed Unicode"],
    ["a lone surrogate in a request id", { request: "\udc00" }, "request is not well-formed Unicode"],
    ["a time that is no integer", { time_ms: Number.NaN }, "time_ms is not an integer"],
    ["a trace that is no array", { traceJson: "{}" }, "trace is not an array"],
  ])("%s is refused by the field's name", (_name, changes, message) => {
    expect(() => write(decision(changes), link, commitment)).toThrow(message);
  });

  test("a refused record leaves nothing behind in the next one", () => {
    const before = write(decision(), link, commitment);
    expect(() => write(decision({ action: "other", principal: "\ud800" }), link, commitment)).toThrow("principal");
    expect(write(decision(), link, commitment)).toBe(before);
  });
});

describe("what parseReceipt refuses", () => {
  const good = decisionReceiptWriter(chain)(decision(), link, commitment);
  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["a space", good.replace('"seq":7', '"seq": 7')],
    ["a key twice", good.replace('"seq":7', '"seq":7,"seq":7')],
    ["keys out of order", good.replace('"seq":7,"session"', '"session"').replace('"v":1', '"seq":7,"v":1')],
    ["a key too many", good.replace('"v":1', '"u":1,"v":1')],
    ["a key too few", good.replace('"span_id":null,', "")],
    ["another version", good.replace('"v":1', '"v":2')],
    ["a verdict that is none", good.replace('"ALLOW"}', '"MAYBE"}')],
    ["a seq of 0", good.replace('"seq":7', '"seq":0')],
    ["a seq in another notation", good.replace('"seq":7', '"seq":7.0')],
    ["a short prev", good.replace(zeroHash, "00")],
    ["a commitment that is none", good.replace(commitment, "sha256:00")],
    ["a trace with a number", good.replace('["identity:SKIP"', '[1,"identity:SKIP"')],
    ["another kind", good.replace('"kind":"decision"', '"kind":"other"')],
  ])("%s", (_name, receipt) => {
    expect(parseReceipt(good)).not.toBeNull();
    expect(receipt).not.toBe(good);
    expect(parseReceipt(receipt)).toBeNull();
  });
});
