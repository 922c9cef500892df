import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import type { Decision } from "./decision.ts";
import { Unrepresentable, WireError, wireErrorCodes } from "./errors.ts";
import { allFeatures, featureNames, featureSet, noFeatures } from "./features.ts";
import * as wire from "./index.ts";
import { MAX_LINE } from "./limits.ts";

/** The bytes that other languages' clients write and read. A red line here is a change of the protocol. */
const decision: Decision = {
  verdict: 1,
  reason: "etc is off limits",
  policy_id: "p.no-etc",
  attributed_to: "path",
  modified_args: null,
  modified_result: null,
  details: { code: "rule_blocked", approval_id: null, transaction_id: null, errors: [], replayed: false },
};

test.each<[string, string, string]>([
  [
    "event, v1",
    wire.eventFrame(
      "op-4711-1",
      {
        action: "read_file",
        args: { path: "/etc/passwd" },
        phase: "call",
        principal: "acme/agent42",
        ts: 1764478123.5,
      },
      noFeatures,
    ),
    '{"event":{"action":"read_file","args":{"path":"/etc/passwd"},"phase":"call","principal":"acme/agent42","ts":1764478123.5},"id":"op-4711-1","v":1}\n',
  ],
  [
    "event: a zero ts, null names and, without the features, call_id and grade are left out",
    wire.eventFrame(
      "r1",
      {
        action: "a",
        args: {},
        phase: "result",
        principal: null,
        span_id: null,
        parent_principal: null,
        ts: 0,
        call_id: "c",
        grade: "sync/enforce",
      },
      noFeatures,
    ),
    '{"event":{"action":"a","args":{},"phase":"result"},"id":"r1","v":1}\n',
  ],
  [
    "event with everything",
    wire.eventFrame(
      "r1",
      {
        action: "a",
        args: { z: new Uint8Array([0, 1, 255]), b: { __interlock__: "bytes", b64: "x" }, "\u20ac": new Set([10, 2]) },
        phase: "call",
        principal: "p",
        span_id: "s",
        parent_principal: "pp",
        ts: 1,
        call_id: "c",
        grade: "async/monitor",
        server: { server: "fs", credential: `sha256:${"0".repeat(64)}` },
      },
      allFeatures,
    ),
    '{"event":{"action":"a","args":{"b":{"__interlock__":"=bytes","b64":"x"},"z":{"__interlock__":"bytes","b64":"AAH/"},"\u20ac":[10,2]},"call_id":"c","credential":"sha256:0000000000000000000000000000000000000000000000000000000000000000","grade":"async/monitor","parent_principal":"pp","phase":"call","principal":"p","server":"fs","span_id":"s","ts":1},"id":"r1","v":1}\n',
  ],
  [
    "hello",
    wire.helloFrame("h", {
      client: "interlock-guard/1.0.0 node/22.1.0",
      features: featureSet(["surface", "call_id", "resend", "escalate", "replay"]),
      nonce: "abcdefghijklmnopqrstuv",
      scope: null,
      token: "t",
    }),
    '{"hello":{"client":"interlock-guard/1.0.0 node/22.1.0","features":["call_id","escalate","replay","resend","surface"],"nonce":"abcdefghijklmnopqrstuv","token":"t"},"id":"h","v":1}\n',
  ],
  [
    "hello without nonce and token",
    wire.helloFrame("h", { client: "c", features: noFeatures, nonce: null, scope: null, token: null }),
    '{"hello":{"client":"c","features":[]},"id":"h","v":1}\n',
  ],
  [
    "hello with a scope document's pin",
    wire.helloFrame("h", {
      client: "c",
      features: featureSet(["scope"]),
      nonce: null,
      scope: wire.scopePin('{"v":1}'),
      token: null,
    }),
    '{"hello":{"client":"c","features":["scope"],"scope":"sha256:afbf9d0f3560b0fd7795e81c42a0a79ee6b6fc67e064f77826aee642cad28d91"},"id":"h","v":1}\n',
  ],
  [
    "surface",
    wire.surfaceFrame("s1", {
      server: "fs",
      credential: null,
      tools: [{ name: "read" }],
      prompts: [],
      resources: null,
      resource_templates: null,
      instructions: null,
      identity: null,
      ttl_ms: 60_000,
    }),
    '{"id":"s1","surface":{"prompts":[],"server":"fs","tools":[{"name":"read"}],"ttl_ms":60000},"v":1}\n',
  ],
  [
    "outcome",
    wire.outcomeFrame("o1", { call_id: "c1", status: "failed", error_type: "TypeError" }),
    '{"id":"o1","outcome":{"call_id":"c1","error_type":"TypeError","status":"failed"},"v":1}\n',
  ],
  [
    "resume",
    wire.resumeFrame("r1", { approval_id: "ap1", call_id: "c1", action: null }),
    '{"id":"r1","resume":{"approval_id":"ap1","call_id":"c1"},"v":1}\n',
  ],
  [
    "resume of a named action",
    wire.resumeFrame("r1", { approval_id: "ap1", call_id: "c1", action: "refund" }),
    '{"id":"r1","resume":{"action":"refund","approval_id":"ap1","call_id":"c1"},"v":1}\n',
  ],
  [
    "offline",
    wire.offlineFrame("o1", {
      decisions: [
        {
          id: "00112233445566778899aabbccddeeff",
          at_ms: 1796040000000,
          action: "read_file",
          phase: "call",
          principal: null,
          parent_principal: null,
          call_id: "c1",
          args_commitment: `sha256:${"ab".repeat(32)}`,
          salt: "ffeeddccbbaa99887766554433221100",
          verdict: "ALLOW",
          rule: "reads",
          policy: "prod@7",
        },
      ],
    }),
    `{"id":"o1","offline":{"decisions":[{"action":"read_file","args_commitment":"sha256:${"ab".repeat(32)}","at_ms":1796040000000,"call_id":"c1","id":"00112233445566778899aabbccddeeff","parent_principal":null,"phase":"call","policy":"prod@7","principal":null,"rule":"reads","salt":"ffeeddccbbaa99887766554433221100","verdict":"ALLOW"}]},"v":1}\n`,
  ],
  ["health", wire.healthFrame("h1"), '{"health":{},"id":"h1","v":1}\n'],
  [
    "answer, v1: eight keys",
    wire.responseFrame("op-4711-1", decision, noFeatures),
    '{"attributed_to":"path","id":"op-4711-1","modified_args":null,"modified_result":null,"policy_id":"p.no-etc","reason":"etc is off limits","v":1,"verdict":1}\n',
  ],
  [
    "answer with details and a rewrite",
    wire.responseFrame(
      "r1",
      {
        ...decision,
        verdict: 2,
        modified_args: { path: "/tmp", "10": 1, "9": 2 },
        details: {
          code: "rewritten",
          approval_id: "ap",
          transaction_id: "tx",
          errors: [{ type: "t", loc: "a.b", msg: "m" }],
          replayed: true,
        },
      },
      allFeatures,
    ),
    '{"attributed_to":"path","details":{"approval_id":"ap","code":"rewritten","errors":[{"loc":"a.b","msg":"m","type":"t"}],"replayed":true,"transaction_id":"tx"},"id":"r1","modified_args":{"10":1,"9":2,"path":"/tmp"},"modified_result":null,"policy_id":"p.no-etc","reason":"etc is off limits","v":1,"verdict":2}\n',
  ],
  [
    "error",
    wire.errorFrame("n-noargs", "bad_request", "event.args is required"),
    '{"error":{"code":"bad_request","message":"event.args is required"},"id":"n-noargs","v":1}\n',
  ],
  [
    "hello's answer",
    wire.helloAnswerFrame("h", {
      daemon: "interlock/1.0.0",
      features: featureSet(["resend", "details"]),
      max_frame: MAX_LINE,
      mode: "enforce",
      rules: "sha256:00",
      rules_version: 42,
    }),
    '{"hello":{"daemon":"interlock/1.0.0","features":["details","resend"],"max_frame":8388608,"mode":"enforce","rules":"sha256:00","rules_version":42},"id":"h","v":1}\n',
  ],
  [
    "health's answer",
    wire.healthAnswerFrame("h1", {
      status: "serving",
      rules: "sha256:00",
      rules_version: 42,
      receipts: 7,
      uptime_s: 1.5,
      reload: { count: 1, ok: false, message: "refused" },
    }),
    '{"health":{"receipts":7,"reload":{"count":1,"message":"refused","ok":false},"rules":"sha256:00","rules_version":42,"status":"serving","uptime_s":1.5},"id":"h1","v":1}\n',
  ],
])("%s", (_name, frame, literal) => {
  expect(frame).toBe(literal);
  // Every frame of ours is canonical, whichever way it was written.
  expect(`${canonical(JSON.parse(frame))}\n`).toBe(frame);
});

test("the catalogues are closed", () => {
  expect(Object.keys(wireErrorCodes)).toEqual([
    "bad_version",
    "bad_request",
    "too_large",
    "unrepresentable",
    "internal",
    "bad_response",
    "scope_mismatch",
    "not_available",
    "token_malformed",
    "token_unknown_key",
    "token_bad_signature",
    "token_key_revoked",
    "token_other_audience",
    "token_not_yet_valid",
    "token_expired",
    "token_used",
    "token_unchecked",
  ]);
  expect(featureNames).toEqual([
    "call_id",
    "details",
    "escalate",
    "escape",
    "grade",
    "offline",
    "replace_args",
    "replay",
    "resend",
    "scope",
    "surface",
  ]);
  expect(wire.Verdict).toEqual({ ALLOW: 0, BLOCK: 1, MODIFY: 2, ESCALATE: 3 });
  expect([wire.PROTOCOL_VERSION, wire.MAX_LINE]).toEqual([1, 8388608]);
});

test("the names that wire v1 exports are there", () => {
  const exported = new Map<string, unknown>(Object.entries(wire));
  for (const name of [
    "canonical",
    "encodeValue",
    "decodeValue",
    "encodeFrame",
    "decodeLine",
    "requestFrame",
    "parseRequest",
    "responseFrame",
    "parseResponse",
    "errorFrame",
    "WireError",
    "Unrepresentable",
  ]) {
    expect(typeof exported.get(name)).toBe("function");
  }
});

test("encodeFrame and decodeLine", () => {
  expect(wire.encodeFrame({ v: 1, id: "a" })).toBe('{"id":"a","v":1}\n');
  expect(wire.decodeLine(Buffer.from('{"id":"a","v":1}\n'))).toEqual({ id: "a", v: 1 });
  expect(() => wire.decodeLine(Buffer.from("[]"))).toThrow("frame must be a JSON object");
});

test("a frame that has no JSON form or does not fit is refused before it is sent, with its id", () => {
  const event = (args: Record<string, unknown>) => ({ action: "a", args, phase: "call" as const });
  expect(() => wire.eventFrame("r1", event({ when: new Date(0) }), noFeatures)).toThrow(
    expect.objectContaining({ name: "Unrepresentable", id: "r1" }),
  );
  for (const args of [[], new Set(), new Uint8Array(1), null, "x"] as unknown as Record<string, unknown>[]) {
    expect(() => wire.eventFrame("r1", event(args), noFeatures)).toThrow(Unrepresentable);
  }
  expect(() => wire.eventFrame("r1", { ...event({}), ts: Number.NaN }, noFeatures)).toThrow(Unrepresentable);
  expect(() => wire.eventFrame("r1", event({ x: "x".repeat(MAX_LINE) }), noFeatures)).toThrow(
    expect.objectContaining({ code: "too_large", id: "r1" }),
  );
  // The frame, its event and the arguments are three of the 128 levels.
  let deep: unknown = 1;
  for (let i = 0; i < 125; i++) deep = [deep];
  const deepest = wire.eventFrame("r1", event({ deep }), noFeatures);
  expect(wire.parseRequest(Buffer.from(deepest), noFeatures).kind).toBe("event");
  expect(() => wire.eventFrame("r1", event({ deep: [deep] }), noFeatures)).toThrow(Unrepresentable);
});

test("errors carry code, id and one line", () => {
  const error = new WireError("bad_request", "m", "r1");
  expect([error.name, error.code, error.id, error.message]).toEqual(["WireError", "bad_request", "r1", "m"]);
  expect(new Unrepresentable("a Date", "x.y")).toMatchObject({
    name: "Unrepresentable",
    code: "unrepresentable",
    message: "x.y: a Date has no JSON form",
  });
});
