import { describe, expect, it } from "vitest";
import type { WireValue } from "../../../wire/value.ts";
import { observedOutcome, type ProbeAnswer } from "./answer.ts";
import { judgePermission } from "./permission.ts";
import { type ExpectedEffect, judgeReadback, type Readback, stateChange } from "./readback.ts";
import { leavesOf, stateHash } from "./state-mask.ts";

const refused = (text: string, structured: WireValue = null): ProbeAnswer => ({
  kind: "result",
  isError: true,
  texts: [text],
  structured,
});

describe("what a probe observed", () => {
  it.each<[string, ProbeAnswer, string, string | null]>([
    [
      "a result",
      { kind: "result", isError: false, texts: ["403 Forbidden is what the page was about"], structured: null },
      "allowed",
      null,
    ],
    ["a denial the MCP way", refused("Error: 403 Forbidden"), "denied", "forbidden"],
    ["a denial by a structured status", refused("failed", { error: { status: 403 } }), "denied", "forbidden"],
    ["a file that may not be read", refused("EACCES: permission denied, open 'x'"), "denied", "forbidden"],
    ["a scope that is missing", refused("insufficient_scope"), "denied", "forbidden"],
    ["no token", refused("HTTP 401: Unauthorized"), "denied", "auth_required"],
    ["an error that is about a scope", refused("variable is out of scope"), "unknown", "tool_error"],
    ["a number that holds 403", refused("row 14032 is broken"), "unknown", "tool_error"],
    ["nothing there", refused("404 Not Found"), "unknown", "not_found"],
    ["a limit", refused("429 Too Many Requests"), "inconclusive_rate_limited", "rate_limited"],
    [
      "a broken upstream",
      refused("upstream: 503 Service Unavailable"),
      "inconclusive_upstream_error",
      "upstream_error",
    ],
    [
      "a status of a JSON-RPC error",
      { kind: "rpc_error", code: -32000, message: "x", status: 403 },
      "denied",
      "forbidden",
    ],
    [
      "words of a JSON-RPC error",
      { kind: "rpc_error", code: -32000, message: "Access denied", status: null },
      "denied",
      "forbidden",
    ],
    [
      "arguments that are none",
      { kind: "rpc_error", code: -32602, message: "forbidden key", status: null },
      "inconclusive_probe_error",
      "invalid_request",
    ],
    [
      "a redirect to a login",
      { kind: "http", status: 302, location: "https://a.example/login?x" },
      "denied",
      "auth_required",
    ],
    ["another redirect", { kind: "http", status: 302, location: "https://a.example/author" }, "unknown", "redirect"],
    ["accepted", { kind: "http", status: 202, location: null }, "accepted", null],
    ["no answer", { kind: "timeout" }, "inconclusive_upstream_error", "timeout"],
    ["no JSON", { kind: "malformed" }, "inconclusive_probe_error", "malformed_response"],
  ])("%s", (_, answer, outcome, error_class) => expect(observedOutcome(answer)).toEqual({ outcome, error_class }));
});

it.each([
  ["denied", "allowed", "quarantine"],
  ["denied", "accepted", "quarantine"],
  ["allowed", "denied", "monitor"],
  ["allowed", "accepted", "allow"],
  ["denied", "denied", "allow"],
  ["denied", "unknown", "monitor"],
  ["allowed", "inconclusive_upstream_error", "monitor"],
] as const)("a permission that was to be %s and is %s: %s", (expected, outcome, decision) =>
  expect(judgePermission(expected, outcome).decision).toBe(decision),
);

describe("a readback", () => {
  const at = (fetched_at: number, balance: number, more: WireValue = null): ReturnType<typeof leavesOf> =>
    leavesOf({ content: [{ type: "text", text: JSON.stringify({ fetched_at, balance, more }) }] });
  const judged = (
    after: ReturnType<typeof leavesOf>,
    {
      declared = new Set(),
      expected = "no_change",
      claims = false,
    }: Partial<Readback> & { expected?: ExpectedEffect; claims?: boolean } = {},
  ) => judgeReadback(expected, stateChange({ idle: [at(1, 10), at(2, 10)], after, declared }).changed, claims);

  it("finds what changed in silence", () =>
    expect(judged(at(3, 9))).toMatchObject({
      finding_types: ["readback_state_changed_after_no_effect_expected", "silent_side_effect_drift"],
      severity: "critical",
      decision: "quarantine",
    }));

  it("says where the answer claimed otherwise", () =>
    expect(judged(at(3, 9), { claims: true }).finding_types).toContain("effect_response_contradicted_by_readback"));

  it("knows a clock by what it does without the call", () => expect(judged(at(3, 10)).decision).toBe("allow"));

  it("leaves out what was declared, and what is below it", () =>
    expect(judged(at(3, 10, { seen: [1] }), { declared: new Set(["/content/0/text/more"]) }).decision).toBe("allow"));

  it("masks a member and not one that begins alike", () => {
    const one = leavesOf({ a: 1, ab: 1 });
    const changed = stateChange({ idle: [one, one], after: leavesOf({ a: 2, ab: 2 }), declared: new Set(["/a"]) });
    expect(changed.before).not.toBe(changed.after);
    expect(changed.changed).toBe(1);
  });

  it("misses a change that was to come", () =>
    expect(judged(at(3, 10), { expected: "change_allowed" })).toMatchObject({ decision: "monitor" }));

  it("keeps nothing of a state, and refuses one that is too large", () => {
    expect(stateHash(at(1, 10), new Set())).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(() => leavesOf(Array.from({ length: 60_000 }, (_, index) => index))).toThrow(RangeError);
  });
});
