import { describe, expect, test } from "vitest";
import type { FrameExpectation } from "../corpus/format.ts";
import { mismatch } from "./match-frame.ts";

const answer = {
  attributed_to: null,
  id: "a",
  modified_args: null,
  modified_result: null,
  policy_id: null,
  reason: "",
  v: 1,
  verdict: 0,
};

const match = (frame: unknown, expected: FrameExpectation, saved = new Map<string, string>()): string | null =>
  mismatch(Buffer.from(typeof frame === "string" ? frame : JSON.stringify(frame)), expected, saved);

const allowed: FrameExpectation = { answer: { id: "a", verdict: "ALLOW" } };

test("a line that is not JSON, or no object, matches nothing", () => {
  expect(match("nope", { any: true })).toMatch(/^not JSON/);
  expect(match("[]", { any: true })).toMatch(/^not an object/);
});

describe("an answer", () => {
  test("matches when its eight keys hold what is expected", () => {
    expect(match(answer, allowed)).toBeNull();
  });

  test.each([
    ["another verdict", { verdict: 1 }, /^verdict is not ALLOW/],
    ["another id", { id: "b" }, /^id is not "a"/],
    ["another version", { v: 2 }, /^v is not 1/],
    ["a reason that was not expected", { reason: "why" }, /^reason is not ""/],
    ["a policy that was not expected", { policy_id: "p" }, /^policy_id is not null/],
    ["an attribution that was not expected", { attributed_to: "x" }, /^attributed_to is not null/],
    ["arguments that were not expected", { modified_args: {} }, /^modified_args is not null/],
    ["a result that was not expected", { modified_result: 0 }, /^modified_result is not null/],
    ["a ninth key", { details: null }, /^keys are attributed_to, details/],
  ])("does not match with %s", (_what, change, problem) => {
    expect(match({ ...answer, ...change }, allowed)).toMatch(problem);
  });

  test("does not match without one of its keys", () => {
    const { policy_id: _, ...seven } = answer;
    expect(match(seven, allowed)).toMatch(/^keys are/);
  });

  test("that must have details does not match without them, nor with others", () => {
    const expected: FrameExpectation = { answer: { id: "a", verdict: "ALLOW", details: { code: "c" } } };
    expect(match(answer, expected)).toMatch(/^keys are/);
    expect(match({ ...answer, details: { code: "d" } }, expected)).toMatch(/^details.code is not "c"/);
    expect(match({ ...answer, details: { code: "c", more: 1 } }, expected)).toBeNull();
  });

  test("has its reason's parts and length looked at", () => {
    const expected: FrameExpectation = {
      answer: { id: "a", verdict: "ALLOW", reason_contains: ["one", "two"], reason_max_bytes: 9 },
    };
    expect(match({ ...answer, reason: "one, two" }, expected)).toBeNull();
    expect(match({ ...answer, reason: "one" }, expected)).toMatch(/^reason does not hold "two"/);
    expect(match({ ...answer, reason: "one, two €" }, expected)).toMatch(/^reason has 12 bytes/);
  });

  test("may send more arguments than those that must be included, and none of another value", () => {
    const expected: FrameExpectation = { answer: { id: "a", verdict: "MODIFY", modified_args_include: { x: [1] } } };
    const rewritten = { ...answer, verdict: 2 };
    expect(match({ ...rewritten, modified_args: { x: [1], y: 2 } }, expected)).toBeNull();
    expect(match({ ...rewritten, modified_args: { x: [2] } }, expected)).toMatch(/^modified_args.x is not \[1\]/);
    expect(match(rewritten, expected)).toMatch(/^modified_args is no object/);
  });
});

describe("an error frame", () => {
  const frame = { error: { code: "bad_request", message: "m" }, id: "a", v: 1 };

  test("matches by code, and by id where one is given", () => {
    expect(match(frame, { error: "bad_request" })).toBeNull();
    expect(match(frame, { error: "bad_request", id: "a" })).toBeNull();
    expect(match(frame, { error: "bad_request", id: "" })).toMatch(/^id is not ""/);
    expect(match(frame, { error: "too_large" })).toMatch(/^error code is not too_large/);
  });

  test.each([
    ["a verdict beside it", { ...frame, verdict: 0 }],
    ["no message", { ...frame, error: { code: "bad_request" } }],
    ["a message that is no text", { ...frame, error: { code: "bad_request", message: 1 } }],
    ["a key too many", { ...frame, error: { code: "bad_request", message: "", at: 1 } }],
    ["another version", { ...frame, v: 2 }],
    ["an id that is no text", { ...frame, id: null }],
    ["an answer's keys", answer],
  ])("does not match with %s", (_what, wrong) => {
    expect(match(wrong, { error: "bad_request" })).not.toBeNull();
  });
});

test("exact bytes are exact", () => {
  expect(match('{"a":1}', { text: '{"a":1}' })).toBeNull();
  expect(match('{"a": 1}', { text: '{"a":1}' })).toMatch(/^not these bytes/);
});

test("like compares objects by the keys listed and everything else whole", () => {
  expect(match({ a: { b: 1, c: 2 }, d: [1] }, { like: { a: { b: 1 }, d: [1] } })).toBeNull();
  expect(match({ a: { b: 1 } }, { like: { a: { b: 2 } } })).toMatch(/^a.b is not 2/);
  expect(match({ d: [1, 2] }, { like: { d: [1] } })).toMatch(/^d is not \[1\]/);
  expect(match({ b: 1 }, { like: { a: 1 } })).toMatch(/^a is missing/);
  expect(match({ a: null }, { like: { a: {} } })).toMatch(/^a is not an object/);
});

test("a text that may stand in no answer is found wherever it stands", () => {
  expect(match({ ...answer, policy_id: "tok_1" }, { any: true, never_contains: ["tok_1"] })).toMatch(/^holds "tok_1"/);
});

test("saved frames are compared byte for byte, and differ by more than their ids", () => {
  const saved = new Map<string, string>();
  expect(match('{"id":"a","n":1}', { any: true, save: "first" }, saved)).toBeNull();
  expect(match('{"id":"a","n":1}', { any: true, same_as: "first" }, saved)).toBeNull();
  expect(match('{"id":"a","n":2}', { any: true, same_as: "first" }, saved)).toMatch(/^differs from/);
  expect(match('{"id":"b","n":2}', { any: true, differs_from: "first" }, saved)).toBeNull();
  expect(match('{"id":"b","n":1}', { any: true, differs_from: "first" }, saved)).toMatch(/^is the frame saved/);
  expect(match('{"id":"a","n":1}', { any: true, same_as: "unknown" }, saved)).toMatch(/^differs from/);
});
