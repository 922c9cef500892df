import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../wire/canonical.ts";
import { grades } from "../../wire/grade.ts";
import { decisionReceiptWriter } from "./decision-receipt.ts";
import { commitmentTo, receiptHash, zeroHash } from "./hash.ts";
import { openCommitment } from "./open-commitment.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { controlReceipt } from "./receipt.ts";
import { control, decision } from "./test-records.ts";

const chain = "0123456789abcdef".repeat(2);
const put = commitmentTo("arguments", "00".repeat(16), '{"amount":100}');
const response = commitmentTo("response", "00".repeat(16), '{"amount":100}');
const final = commitmentTo("final", "00".repeat(16), '{"amount":100}');
const commitments = { put, final: null };
const link = { seq: 7, prev: zeroHash };

describe("receipt bytes (pinned: another verifier reads them)", () => {
  test("a decision", () => {
    expect(decisionReceiptWriter(chain)(decision(), link, commitments)).toBe(
      '{"action":"refund","args_commitment":"sha256:a5740f7f9522b3e8d1903ff277833e776f10ec9216b4e787fb3d1584dbb2f5ba",' +
        '"attributed_to":null,"call_id":"c-1",' +
        '"chain":"0123456789abcdef0123456789abcdef","client":"interlock-guard/1.0.0 node/22.1.0","code":"allowed",' +
        '"contract":null,"decided":null,"final_commitment":null,"grade":"async/enforce","identity":null,' +
        '"kept":false,"kind":"decision","offline":null,' +
        '"parent_principal":null,"phase":"call","policies":[],"policy_id":"refunds.owner",' +
        '"prev":"0000000000000000000000000000000000000000000000000000000000000000","principal":"agent-7",' +
        '"principal_source":"claimed","reason":"every rule is satisfied","request":"r-1",' +
        '"response_commitment":null,' +
        '"rules":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","rules_version":42,"scope":null,"seq":7,' +
        '"session":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","span_id":null,"surface":null,"time_ms":1760000000000,' +
        '"trace":["identity:SKIP","rules/refunds.owner:ALLOW"],"transaction_id":null,"v":2,"verdict":"ALLOW"}',
    );
  });

  test("a result that was rewritten, of a call that was decided before, reported by a client that was offline", () => {
    const record = decision({
      phase: "result",
      verdict: "MODIFY",
      code: "rewritten",
      contract: "shop@3/refund",
      policies: ["shop@3", "limits@1"],
      scope: "acme@9",
      surface: `sha256:${"c".repeat(64)}`,
      identity: "acme/payments",
      principal_source: "token",
      decided: 5,
      offline: { at_ms: 12, policy: "prod@7" },
    });
    expect(decisionReceiptWriter(chain)(record, link, { put: response, final })).toBe(
      '{"action":"refund","args_commitment":null,"attributed_to":null,"call_id":"c-1",' +
        '"chain":"0123456789abcdef0123456789abcdef","client":"interlock-guard/1.0.0 node/22.1.0","code":"rewritten",' +
        `"contract":"shop@3/refund","decided":5,"final_commitment":"${final}","grade":"async/enforce",` +
        '"identity":"acme/payments","kept":false,"kind":"decision","offline":{"at_ms":12,"policy":"prod@7"},' +
        '"parent_principal":null,"phase":"result","policies":["shop@3","limits@1"],"policy_id":"refunds.owner",' +
        '"prev":"0000000000000000000000000000000000000000000000000000000000000000","principal":"agent-7",' +
        '"principal_source":"token","reason":"every rule is satisfied","request":"r-1",' +
        `"response_commitment":"${response}",` +
        '"rules":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","rules_version":42,' +
        '"scope":"acme@9","seq":7,"session":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","span_id":null,' +
        `"surface":"sha256:${"c".repeat(64)}","time_ms":1760000000000,` +
        '"trace":["identity:SKIP","rules/refunds.owner:ALLOW"],"transaction_id":null,"v":2,"verdict":"MODIFY"}',
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
    expect(put).toBe("sha256:a5740f7f9522b3e8d1903ff277833e776f10ec9216b4e787fb3d1584dbb2f5ba");
    expect([response, final]).toEqual([
      "sha256:430d032f6ed4ef8009471fe8fd87c8a2ad52dbcb3154a70e0c003487dab05f13",
      "sha256:e17612b95712b72eaa169bc41f67b039ad576e9735ceb9fa37fc82593ec7e262",
    ]);
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
  identity: textOrNull,
  client: textOrNull,
  grade: fc.option(fc.constantFrom(...grades)),
  offline: fc.option(fc.record({ at_ms: fc.maxSafeNat(), policy: text })),
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
  rules_version: fc.maxSafeNat(),
  contract: textOrNull,
  policies: fc.oneof(fc.constant(Object.freeze(["shop@1"])), fc.array(text, { maxLength: 3 })),
  scope: textOrNull,
  surface: textOrNull,
  decided: fc.option(fc.integer({ min: 1 })),
  transaction_id: textOrNull,
  traceJson: fc.array(text, { maxLength: 4 }).map((trace) => canonical(trace)),
  argsCanonical: fc.constant("{}"),
  committed: fc.constant(null),
  finalCanonical: fc.option(fc.constant("{}")),
  keep: fc.option(fc.constant("kept")),
  capture: fc.constant(null),
});

test("every receipt of a long run equals the canonical form of what it parses to, whatever came before it", () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 12 }), (run) => {
      const write = decisionReceiptWriter(chain);
      for (const [index, record] of run.entries()) {
        const isCall = record.phase === "call";
        const made = { put: isCall ? put : response, final: record.finalCanonical === null ? null : final };
        const receipt = write(record, { seq: index + 1, prev: zeroHash }, made);
        expect(receipt).toBe(canonical(JSON.parse(receipt)));
        const {
          argsCanonical: _args,
          committed: _committed,
          finalCanonical: _final,
          capture: _capture,
          ...rest
        } = record;
        const { traceJson, keep, ...fields } = rest;
        expect(parseReceipt(receipt)).toEqual({
          ...fields,
          args_commitment: isCall ? put : null,
          response_commitment: isCall ? null : response,
          final_commitment: made.final,
          chain,
          kept: keep !== null,
          kind: "decision",
          prev: zeroHash,
          seq: index + 1,
          trace: JSON.parse(traceJson),
          v: 2,
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

describe("receipts of version 1", () => {
  const receipt1 = (phase: "call" | "result", commitment: string): string =>
    `{"action":"refund","args_commitment":"${commitment}","attributed_to":null,"call_id":"c-1",` +
    `"chain":"${chain}","code":"allowed","kept":false,"kind":"decision",` +
    `"parent_principal":null,"phase":"${phase}","policy_id":"refunds.owner","prev":"${zeroHash}","principal":"agent-7",` +
    '"principal_source":"claimed","reason":"every rule is satisfied","request":"r-1",' +
    `"rules":"sha256:${"b".repeat(64)}","seq":7,` +
    '"session":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","span_id":null,"time_ms":1760000000000,' +
    '"trace":["identity:SKIP","rules/refunds.owner:ALLOW"],"transaction_id":null,"v":1,"verdict":"ALLOW"}';

  test.each([
    ["call", "arguments"],
    ["result", "response"],
  ] as const)("a %s is read as it was written, and opened by its salt as its %s", (phase, what) => {
    const receipt = parseReceipt(receipt1(phase, put));
    if (receipt?.kind !== "decision") throw new Error("not a decision");
    expect(receipt).toMatchObject({ v: 1, phase, seq: 7 });
    expect(openCommitment(receipt, what, "00".repeat(16), '{"amount":100}')).toBe(true);
    expect(openCommitment(receipt, what, "00".repeat(16), '{"amount":101}')).toBe(false);
    expect(openCommitment(receipt, "final", "00".repeat(16), '{"amount":100}')).toBe(false);
  });

  test("one with a key of version 2 is none", () => {
    expect(parseReceipt(receipt1("call", put).replace('"span_id"', '"scope":null,"span_id"'))).toBeNull();
  });
});

describe("what has no receipt", () => {
  const write = decisionReceiptWriter(chain);
  test.each([
    ["a lone surrogate in a name", { action: "\ud800" }, "action is not well-formed Unicode"],
    ["a lone surrogate in a request id", { request: "\udc00" }, "request is not well-formed Unicode"],
    ["a time that is no integer", { time_ms: Number.NaN }, "time_ms is not an integer"],
    ["a trace that is no array", { traceJson: "{}" }, "trace is not an array"],
    ["a lone surrogate in the client's name", { client: "\ud800" }, "client is not well-formed Unicode"],
    ["a lone surrogate in a list", { policies: ["\ud800"] }, "policies is not well-formed Unicode"],
    ["a version that is no integer", { rules_version: 0.5 }, "rules_version is not an integer"],
    ["a link to no number", { decided: Number.NaN }, "decided is not an integer"],
  ])("%s is refused by the field's name", (_name, changes, message) => {
    expect(() => write(decision(changes), link, commitments)).toThrow(message);
  });

  test("a refused record leaves nothing behind in the next one", () => {
    const before = write(decision(), link, commitments);
    expect(() => write(decision({ action: "other", principal: "\ud800" }), link, commitments)).toThrow("principal");
    expect(write(decision(), link, commitments)).toBe(before);
  });
});

describe("what parseReceipt refuses", () => {
  const good = decisionReceiptWriter(chain)(decision(), link, commitments);
  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["a space", good.replace('"seq":7', '"seq": 7')],
    ["a key twice", good.replace('"seq":7', '"seq":7,"seq":7')],
    ["keys out of order", good.replace('"seq":7,"session"', '"session"').replace('"v":2', '"seq":7,"v":2')],
    ["a key too many", good.replace('"v":2', '"u":1,"v":2')],
    ["a key too few", good.replace('"span_id":null,', "")],
    ["another version", good.replace('"v":2', '"v":3')],
    ["the version before, with this one's keys", good.replace('"v":2', '"v":1')],
    ["a grade that is none", good.replace("async/enforce", "async")],
    ["a link to a receipt 0", good.replace('"decided":null', '"decided":0')],
    ["arguments and a response", good.replace('"response_commitment":null', `"response_commitment":"${response}"`)],
    ["neither arguments nor a response", good.replace(`"args_commitment":"${put}"`, '"args_commitment":null')],
    ["offline without a policy", good.replace('"offline":null', '"offline":{"at_ms":1}')],
    ["offline with more", good.replace('"offline":null', '"offline":{"at_ms":1,"policy":"p@1","x":1}')],
    ["a verdict that is none", good.replace('"ALLOW"}', '"MAYBE"}')],
    ["a seq of 0", good.replace('"seq":7', '"seq":0')],
    ["a seq in another notation", good.replace('"seq":7', '"seq":7.0')],
    ["a short prev", good.replace(zeroHash, "00")],
    ["a commitment that is none", good.replace(put, "sha256:00")],
    ["a trace with a number", good.replace('["identity:SKIP"', '[1,"identity:SKIP"')],
    ["another kind", good.replace('"kind":"decision"', '"kind":"other"')],
  ])("%s", (_name, receipt) => {
    expect(parseReceipt(good)).not.toBeNull();
    expect(receipt).not.toBe(good);
    expect(parseReceipt(receipt)).toBeNull();
  });
});
