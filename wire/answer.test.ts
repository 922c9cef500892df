import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAnswer, parseResponse } from "./answer.ts";
import type { Decision } from "./decision.ts";
import { Unrepresentable, WireError } from "./errors.ts";
import { allFeatures, type FeatureSet, featureSet, noFeatures } from "./features.ts";
import { MAX_LINE } from "./limits.ts";
import { responseFrame } from "./response.ts";
import { Verdict } from "./verdict.ts";

const parse = (text: string, features: FeatureSet = noFeatures, id?: string) =>
  parseAnswer(Buffer.from(text), features, id);
const refusal = (text: string, features: FeatureSet = noFeatures, id?: string): WireError => {
  try {
    parse(text, features, id);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("was accepted");
};
const block: Decision = {
  verdict: Verdict.BLOCK,
  reason: "no",
  policy_id: "p.no",
  attributed_to: "path",
  modified_args: null,
  modified_result: null,
  details: null,
};
const members: Record<string, string> = {
  attributed_to: "null",
  id: '"r1"',
  modified_args: "null",
  modified_result: "null",
  policy_id: "null",
  reason: '""',
  v: "1",
  verdict: "0",
};
const frame = (changes: Record<string, string | null> = {}): string =>
  `{${Object.entries({ ...members, ...changes })
    .filter(([, text]) => text !== null)
    .map(([key, text]) => `"${key}":${text}`)
    .join(",")}}`;
const details =
  '{"approval_id":"ap1","code":"escalated","errors":[{"loc":"a","msg":"m","type":"t"}],"replayed":false,"transaction_id":null}';

describe("an answer", () => {
  test("each verdict is read", () => {
    for (const verdict of [0, 1, 2, 3]) {
      expect(parse(frame({ verdict: `${verdict}` }))).toMatchObject({
        kind: "answer",
        id: "r1",
        decision: { verdict },
      });
    }
  });

  test("its id is returned where none is expected, and checked where one is", () => {
    expect(parse(frame()).id).toBe("r1");
    expect(parse(frame(), noFeatures, "r1").id).toBe("r1");
    expect(refusal(frame(), noFeatures, "r2")).toMatchObject({ code: "bad_request", id: "r1" });
  });

  test("an absent or null reason is empty", () => {
    expect(parse(frame({ reason: null }))).toMatchObject({ decision: { reason: "" } });
    expect(parse(frame({ reason: "null" }))).toMatchObject({ decision: { reason: "" } });
  });

  test("false, 0 and the empty string replace a result; null does not", () => {
    for (const [text, value] of [
      ["false", false],
      ["0", 0],
      ['""', ""],
      ["null", null],
    ] as const) {
      expect(parse(frame({ verdict: "2", modified_result: text }))).toMatchObject({
        decision: { modified_result: value },
      });
    }
  });

  test("bytes in a rewrite are decoded", () => {
    const answer = parse(frame({ verdict: "2", modified_result: '{"__interlock__":"bytes","b64":"AAH/"}' }));
    expect(answer).toMatchObject({ decision: { modified_result: new Uint8Array([0, 1, 255]) } });
  });

  test("details with the feature, or null", () => {
    expect(parse(frame({ details }), allFeatures)).toMatchObject({
      decision: {
        details: {
          approval_id: "ap1",
          code: "escalated",
          errors: [{ loc: "a", msg: "m", type: "t" }],
          replayed: false,
          transaction_id: null,
        },
      },
    });
    expect(parse(frame({ details: "null" }), allFeatures)).toMatchObject({ decision: { details: null } });
  });
});

describe("refused answers", () => {
  test.each<[string, string, string]>([
    ["not JSON", "nonsense", "frame is not valid JSON: syntax error"],
    ["half a frame", frame().slice(0, 40), "frame is not valid JSON: syntax error"],
    ["trailing bytes", `${frame()}x`, "frame is not valid JSON: syntax error"],
    ["two frames in one", `${frame()}${frame()}`, "frame is not valid JSON: syntax error"],
    [
      "a verdict given twice",
      `${frame().slice(0, -1)},"verdict":1}`,
      "frame is not valid JSON: an object holds a key twice",
    ],
    ["an array", "[]", "frame must be a JSON object"],
    ["no id", frame({ id: null }), "id must be a non-empty string"],
    ["an empty id", frame({ id: '""' }), "id must be a non-empty string"],
    ["a number as id", frame({ id: "1" }), "id must be a non-empty string"],
    ["an unknown key", frame({ extra: "1" }), "unknown response key(s): extra"],
    ["details without the feature", frame({ details }), "unknown response key(s): details"],
    ["no verdict", frame({ verdict: null }), "the answer lacks a key"],
    ["no modified_args", frame({ modified_args: null }), "the answer lacks a key"],
    ["no modified_result", frame({ modified_result: null }), "the answer lacks a key"],
    ["no policy_id", frame({ policy_id: null }), "the answer lacks a key"],
    ["no attributed_to", frame({ attributed_to: null }), "the answer lacks a key"],
    ["verdict 4", frame({ verdict: "4" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict -1", frame({ verdict: "-1" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict 0.5", frame({ verdict: "0.5" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict false", frame({ verdict: "false" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict true", frame({ verdict: "true" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict null", frame({ verdict: "null" }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict as text", frame({ verdict: '"0"' }), "verdict must be one of 0, 1, 2, 3"],
    ["verdict by name", frame({ verdict: '"ALLOW"' }), "verdict must be one of 0, 1, 2, 3"],
    ["a verdict in an array", frame({ verdict: "[0]" }), "verdict must be one of 0, 1, 2, 3"],
    ["a number as reason", frame({ reason: "1" }), "reason must be a string"],
    ["a number as policy_id", frame({ policy_id: "1" }), "policy_id must be a string or null"],
    ["an array as attributed_to", frame({ attributed_to: "[]" }), "attributed_to must be a string or null"],
    [
      "modified_args as an array",
      frame({ verdict: "2", modified_args: "[]" }),
      "modified_args must be a JSON object or null",
    ],
    [
      "modified_args as text",
      frame({ verdict: "2", modified_args: '"x"' }),
      "modified_args must be a JSON object or null",
    ],
    [
      "modified_args as bytes",
      frame({ verdict: "2", modified_args: '{"__interlock__":"bytes","b64":""}' }),
      "modified_args must be a JSON object or null",
    ],
    [
      "bad base64 in modified_args",
      frame({ verdict: "2", modified_args: '{"x":{"__interlock__":"bytes","b64":"*"}}' }),
      "modified_args: encoded bytes must be standard base64 with padding",
    ],
    [
      "bad base64 in modified_result",
      frame({ verdict: "2", modified_result: '{"__interlock__":"bytes","b64":"AA"}' }),
      "modified_result: encoded bytes must be standard base64 with padding",
    ],
    ["an ALLOW with a rewrite", frame({ modified_args: "{}" }), "an ALLOW carries no rewrite"],
    ["an ALLOW with a replacement", frame({ modified_result: "0" }), "an ALLOW carries no rewrite"],
    [
      "hello beside an answer",
      frame({ hello: "{}" }),
      "unknown response key(s): attributed_to, modified_args, modified_result, policy_id, reason, verdict",
    ],
    [
      "health beside an answer",
      frame({ health: "{}" }),
      "unknown response key(s): attributed_to, modified_args, modified_result, policy_id, reason, verdict",
    ],
  ])("%s", (_name, text, message) => {
    expect(refusal(text)).toMatchObject({ code: "bad_request", message });
  });

  test.each([
    ["2", "2"],
    ["true", "true"],
    ["absent", null],
  ])("version %s", (_name, v) => {
    expect(refusal(frame({ v }))).toMatchObject({ code: "bad_version", id: "" });
  });

  test("the verdict is not supplied by a polluted Object.prototype", () => {
    const polluted = Object.prototype as { verdict?: unknown };
    polluted.verdict = 0;
    try {
      expect(refusal(frame({ verdict: null })).message).toBe("the answer lacks a key");
    } finally {
      delete polluted.verdict;
    }
  });

  test.each<[string, string | null, string]>([
    ["no details", null, "the answer lacks a key"],
    ["details as text", '"x"', "details must be a JSON object"],
    ["an unknown detail", details.replace("{", '{"x":1,'), "unknown details key(s): x"],
    ["no code", details.replace('"escalated"', '""'), "details.code must be a non-empty string"],
    ["replayed as text", details.replace("false", '"no"'), "details.replayed must be true or false"],
    ["errors as an object", details.replace(/\[.*\]/, "{}"), "details.errors must be an array"],
    ["an error that is no object", details.replace(/\[.*\]/, "[1]"), "details.errors[] must be a JSON object"],
    ["an error with an unknown key", details.replace('"loc"', '"x":1,"loc"'), "unknown details.errors[] key(s): x"],
    ["an error without its msg", details.replace('"msg":"m",', ""), "details.errors[].msg must be a string"],
    ["a number as approval_id", details.replace('"ap1"', "1"), "details.approval_id must be a string or null"],
  ])("with the feature details: %s", (_name, text, message) => {
    expect(refusal(frame({ details: text }), allFeatures)).toMatchObject({ code: "bad_request", message, id: "r1" });
  });
});

describe("a replay", () => {
  const replayed = '{"approval_id":null,"code":"replayed","errors":[],"replayed":true,"transaction_id":"tx_1"}';
  const replay = { verdict: "1", details: replayed, modified_result: '{"paid":5}' };

  test("is a BLOCK of the code replayed that names its transaction, with the result or without", () => {
    expect(parse(frame(replay), allFeatures)).toMatchObject({
      decision: { verdict: 1, modified_result: { paid: 5 }, details: { replayed: true, transaction_id: "tx_1" } },
    });
    expect(parse(frame({ ...replay, modified_result: "null" }), allFeatures)).toMatchObject({
      decision: { verdict: 1, modified_result: null },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["as an ALLOW", { verdict: "0", modified_result: "null" }, "a replay is a BLOCK"],
    ["as a MODIFY", { verdict: "2" }, "a replay is a BLOCK"],
    ["as an ESCALATE", { verdict: "3" }, "a replay is a BLOCK"],
    ["of another code", { details: replayed.replace('"replayed"', '"allowed"') }, "a replay has the code replayed"],
    ["of no transaction", { details: replayed.replace('"tx_1"', "null") }, "a replay names the transaction that ran"],
    ["with arguments", { modified_args: "{}" }, "a replay carries no arguments"],
    [
      "that is none, with a result",
      { details: replayed.replace("true", "false") },
      "only a replay carries a result in a BLOCK",
    ],
    ["without details, with a result", { details: "null" }, "only a replay carries a result in a BLOCK"],
  ])("%s is refused", (_name, changes, message) => {
    expect(refusal(frame({ ...replay, ...changes }), allFeatures)).toMatchObject({ code: "bad_request", message });
  });

  test("towards a client that did not agree on replays it carries no result", () => {
    const features = featureSet(["details"]);
    expect(parse(frame({ ...replay, modified_result: "null" }), features)).toMatchObject({ decision: { verdict: 1 } });
    expect(refusal(frame(replay), features).message).toBe("only a replay carries a result in a BLOCK");
  });
});

describe("an error frame", () => {
  test.each<[string, string, string, string, string]>([
    ["complete", '{"error":{"code":"bad_request","message":"m"},"id":"r1","v":1}', "bad_request", "m", "r1"],
    ["with an empty id", '{"error":{"code":"too_large","message":"m"},"id":"","v":1}', "too_large", "m", ""],
    ["with another request's id", '{"error":{"code":"internal","message":"m"},"id":"x","v":1}', "internal", "m", "x"],
    ["without an id", '{"error":{"code":"internal","message":"m"},"v":1}', "internal", "m", ""],
    ["that is no object", '{"error":"boom","id":"r1","v":1}', "internal", "", "r1"],
    ["without its code", '{"error":{"message":"m"},"id":"r1","v":1}', "internal", "m", "r1"],
    ["without its message", '{"error":{"code":"unrepresentable"},"id":"r1","v":1}', "unrepresentable", "", "r1"],
    ["of a code that is not known", '{"error":{"code":"later","message":"m"},"id":"r1","v":1}', "internal", "m", "r1"],
    [
      "of a code that every object has",
      '{"error":{"code":"constructor","message":"m"},"id":"r1","v":1}',
      "internal",
      "m",
      "r1",
    ],
    ["beside an ALLOW", frame({ error: '{"code":"internal","message":"m"}' }), "internal", "m", "r1"],
  ])("%s", (_name, text, code, message, id) => {
    const answer = parse(text, noFeatures, "r1");
    expect(answer).toMatchObject({ kind: "error", id, error: { code, message } });
    expect(() => parseResponse(Buffer.from(text), "r1")).toThrow(expect.objectContaining({ code, message }));
  });
});

describe("hello and health answers", () => {
  const hello =
    '{"daemon":"interlock/1.0.0","features":["details"],"max_frame":8388608,"mode":"enforce","rules":"sha256:00","rules_version":42}';
  const health =
    '{"receipts":7,"reload":{"count":0,"message":"","ok":true},"rules":"sha256:00","rules_version":42,"status":"serving","uptime_s":1.5}';

  test("are read", () => {
    expect(parse(`{"hello":${hello},"id":"h","v":1}`)).toEqual({
      kind: "hello",
      id: "h",
      hello: {
        daemon: "interlock/1.0.0",
        features: featureSet(["details"]),
        max_frame: 8388608,
        mode: "enforce",
        rules: "sha256:00",
        rules_version: 42,
      },
    });
    expect(parse(`{"health":${health},"id":"h","v":1}`)).toEqual({
      kind: "health",
      id: "h",
      health: {
        status: "serving",
        rules: "sha256:00",
        rules_version: 42,
        receipts: 7,
        uptime_s: 1.5,
        reload: { count: 0, ok: true, message: "" },
      },
    });
  });

  test("are no decision", () => {
    expect(() => parseResponse(Buffer.from(`{"hello":${hello},"id":"h","v":1}`), "h")).toThrow(
      "a decision was expected, not hello",
    );
  });

  test.each<[string, string, string]>([
    ["a hello that is no object", '"hello":1', "hello must be a JSON object"],
    ["a mode that is not enforce", `"hello":${hello.replace("enforce", "observe")}`, "hello.mode must be enforce"],
    ["no mode", `"hello":${hello.replace('"mode":"enforce",', "")}`, "hello.mode must be enforce"],
    ["an unknown hello key", `"hello":${hello.replace("{", '{"x":1,')}`, "unknown hello key(s): x"],
    [
      "a frame limit above 8 MiB",
      `"hello":${hello.replace("8388608", "8388609")}`,
      "hello.max_frame must be from 1 to 8388608",
    ],
    ["a frame limit of 0", `"hello":${hello.replace("8388608", "0")}`, "hello.max_frame must be from 1 to 8388608"],
    [
      "a fractional rules_version",
      `"hello":${hello.replace("42", "4.2")}`,
      "hello.rules_version must be a whole number",
    ],
    ["an empty daemon", `"hello":${hello.replace("interlock/1.0.0", "")}`, "hello.daemon must be a non-empty string"],
    [
      "a feature that no client of this version offers",
      `"hello":${hello.replace('["details"]', '["details","later"]')}`,
      "hello.features holds a feature that was not offered",
    ],
    [
      "features that are no array",
      `"hello":${hello.replace('["details"]', "{}")}`,
      "hello.features must be an array of strings",
    ],
    ["both bodies", `"hello":${hello},"health":${health}`, "unknown response key(s): health"],
    [
      "an unknown status",
      `"health":${health.replace("serving", "fine")}`,
      "health.status must be one of disabled, draining, serving, stopped",
    ],
    ["a negative uptime", `"health":${health.replace("1.5", "-1")}`, "health.uptime_s must be a number of seconds"],
    ["a reload without ok", `"health":${health.replace(',"ok":true', "")}`, "health.reload.ok must be true or false"],
    [
      "a reload with an unknown key",
      `"health":${health.replace('"count"', '"x":1,"count"')}`,
      "unknown health.reload key(s): x",
    ],
    [
      "a reload message that is no string",
      `"health":${health.replace('""', "1")}`,
      "health.reload.message must be a string",
    ],
    ["negative receipts", `"health":${health.replace("7", "-7")}`, "health.receipts must be a whole number"],
  ])("refuses %s", (_name, body, message) => {
    expect(refusal(`{${body},"id":"h","v":1}`)).toMatchObject({ code: "bad_request", message, id: "h" });
  });
});

describe("the daemon's response", () => {
  const opaque = (value: unknown) => ({ ...block, verdict: Verdict.MODIFY, modified_result: value }) as Decision;

  test("a rewrite without a JSON form throws, with the request's id and the place", () => {
    expect(() => responseFrame("r1", opaque({ a: [new Date(0)] }), noFeatures)).toThrow(
      expect.objectContaining({
        code: "unrepresentable",
        id: "r1",
        message: "modified_result.a[0]: an object that is not plain has no JSON form",
      }),
    );
    expect(() => responseFrame("r1", opaque({ __interlock__: "bytes", b64: "" }), noFeatures)).toThrow(Unrepresentable);
  });

  test("a verdict that is none throws internal", () => {
    const broken = { ...block, verdict: 4 } as unknown as Decision;
    expect(() => responseFrame("r1", broken, noFeatures)).toThrow(
      expect.objectContaining({ code: "internal", id: "r1" }),
    );
  });

  test("a response above 8 MiB is refused before it is sent", () => {
    expect(() => responseFrame("r1", opaque("x".repeat(MAX_LINE)), noFeatures)).toThrow(
      expect.objectContaining({ code: "too_large", id: "r1" }),
    );
    const chars = (MAX_LINE - responseFrame("r1", opaque(""), noFeatures).length) / 1;
    expect(Buffer.byteLength(responseFrame("r1", opaque("x".repeat(chars)), noFeatures))).toBe(MAX_LINE);
  });

  test("any decision comes back as it was", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 30 });
    const orNull = fc.option(text);
    const value = fc.oneof(
      text,
      fc.maxSafeInteger().filter((n) => n !== 0),
      fc.boolean(),
      fc.uint8Array({ maxLength: 6 }),
      fc.array(text, { maxLength: 3 }),
    );
    const result = fc.option(value);
    const judged = fc.record({
      verdict: fc.constantFrom(Verdict.BLOCK, Verdict.MODIFY, Verdict.ESCALATE),
      reason: text,
      policy_id: orNull,
      attributed_to: orNull,
      modified_args: fc.option(fc.dictionary(fc.oneof(text, fc.constantFrom("10", "2")), value)),
      modified_result: result,
      details: fc.option(
        fc.record({
          code: text.filter((code) => code !== ""),
          approval_id: orNull,
          transaction_id: orNull,
          errors: fc.array(fc.record({ loc: text, msg: text, type: text }), { maxLength: 2 }),
          replayed: fc.constant(false),
        }),
      ),
    });
    const replays = fc.record({
      verdict: fc.constant(Verdict.BLOCK),
      reason: text,
      policy_id: orNull,
      attributed_to: orNull,
      modified_args: fc.constant(null),
      modified_result: result,
      details: fc.record({
        code: fc.constant("replayed"),
        approval_id: orNull,
        transaction_id: text,
        errors: fc.constant([]),
        replayed: fc.constant(true),
      }),
    });
    const blocksCarryNothing = judged.map((decision) =>
      decision.verdict === Verdict.BLOCK ? { ...decision, modified_result: null } : decision,
    );
    const decisions = fc.oneof(blocksCarryNothing, replays);
    fc.assert(
      fc.property(
        decisions,
        fc.constantFrom(noFeatures, allFeatures),
        text.filter((id) => id !== ""),
        (decision, features, id) => {
          const line = responseFrame(id, decision as Decision, features);
          const answer = parseAnswer(Buffer.from(line), features, id);
          const expected = { ...decision, details: features.details ? decision.details : null };
          expect(answer).toEqual({ kind: "answer", id, decision: expected });
        },
      ),
      { numRuns: 1000 },
    );
  });
});
