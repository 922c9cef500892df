import { describe, expect, test } from "vitest";
import { allFeatures, featureSet } from "./features.ts";
import { maxOfflineDecisions } from "./limits.ts";
import { parseRequest } from "./request.ts";
import { offlineFrame } from "./request-frame.ts";

const decision = {
  id: "00112233445566778899aabbccddeeff",
  at_ms: 1796040000000,
  action: "read_file",
  phase: "call" as const,
  principal: "acme/pay",
  parent_principal: null,
  call_id: null,
  args_commitment: `sha256:${"ab".repeat(32)}`,
  salt: "ffeeddccbbaa99887766554433221100",
  verdict: "ALLOW" as const,
  rule: "reads",
  policy: "prod@7",
};

const parse = (decisions: unknown, features = allFeatures): unknown =>
  parseRequest(Buffer.from(JSON.stringify({ v: 1, id: "o", offline: { decisions } })), features);

test("what is written is what is read", () => {
  const blocked = { ...decision, id: "f".repeat(32), verdict: "BLOCK" as const, rule: null, phase: "result" as const };
  const offline = { decisions: [decision, blocked] };
  expect(parseRequest(Buffer.from(offlineFrame("o", offline)), allFeatures)).toEqual({
    kind: "offline",
    id: "o",
    offline,
  });
});

test("it needs the feature", () => {
  expect(() => parse([decision], featureSet(["call_id"]))).toThrow(
    "offline needs the feature offline, which was not negotiated",
  );
});

describe("refused", () => {
  const many = Array.from({ length: maxOfflineDecisions + 1 }, (_, at) => ({
    ...decision,
    id: at.toString(16).padStart(32, "0"),
  }));
  test.each<[name: string, decisions: unknown, message: string]>([
    ["none", [], "must be an array of 1 to 64"],
    ["no list", {}, "must be an array of 1 to 64"],
    ["too many", many, "must be an array of 1 to 64"],
    ["one twice", [decision, decision], "has an id twice"],
    ["no object", [1], "must be a JSON object"],
    ["an unknown key", [{ ...decision, args: {} }], "unknown offline decision key(s): args"],
    ["a key missing", [{ ...decision, salt: undefined }], "has exactly"],
    ["an id of another form", [{ ...decision, id: "A".repeat(32) }], "offline id is not of its form"],
    ["a time with a fraction", [{ ...decision, at_ms: 1.5 }], "at_ms must be a whole number"],
    ["no action", [{ ...decision, action: "" }], "action must be a non-empty string"],
    ["a long action", [{ ...decision, action: "x".repeat(1025) }], "action must be at most 1024 bytes"],
    ["another phase", [{ ...decision, phase: "both" }], "phase must be one of call, result"],
    ["a number for a principal", [{ ...decision, principal: 1 }], "principal must be a string or null"],
    [
      "a commitment of another form",
      [{ ...decision, args_commitment: "sha256:ab" }],
      "args_commitment is not of its form",
    ],
    ["a salt of another form", [{ ...decision, salt: "" }], "salt is not of its form"],
    [
      "a verdict that nobody gives offline",
      [{ ...decision, verdict: "MODIFY" }],
      "verdict must be one of ALLOW, BLOCK",
    ],
    ["an ALLOW by no rule", [{ ...decision, rule: null }], "an offline ALLOW names its rule"],
    ["a rule of another form", [{ ...decision, rule: "a b" }], "rule is not of its form"],
    ["a policy without a version", [{ ...decision, policy: "prod" }], "policy is not of its form"],
    ["a policy's version 0", [{ ...decision, policy: "prod@0" }], "policy is not of its form"],
  ])("%s", (_name, decisions, message) => {
    expect(() => parse(decisions)).toThrow(message);
  });
});
