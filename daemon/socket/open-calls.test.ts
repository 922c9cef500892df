import { expect, test } from "vitest";
import { OpenCalls } from "./open-calls.ts";

const unnamed = (action = "refund") => ({ action, call_id: null });
const connection = () => ({ ownIds: new Map<string, string | null>() });

const open = (calls: OpenCalls, at: ReturnType<typeof connection>, action = "refund"): string => {
  const id = calls.idOf(unnamed(action));
  calls.opened(id, unnamed(action), at, 1);
  return id;
};

test("a call that names itself is known by that name, on whatever connection its result comes", () => {
  const calls = new OpenCalls(["before"]);
  expect(calls.has("before")).toBe(true);
  const named = { action: "refund", call_id: "c" };
  expect(calls.idOf(named)).toBe("c");
  expect(calls.decidedOf("c")).toBeNull();
  calls.opened("c", named, connection(), 7);
  expect([calls.decidedOf("c"), calls.decidedOf("before")]).toEqual([7, null]);
  expect(calls.has("c")).toBe(true);
  expect(calls.idOfResult(named, undefined)).toBe("c");
  calls.closed("c");
  expect(calls.has("c")).toBe(false);
  expect(calls.decidedOf("c")).toBeNull();
});

test("a result without a call id is of the one call of its action that is open on its connection", () => {
  const calls = new OpenCalls([]);
  const [at, elsewhere] = [connection(), connection()];
  const refund = open(calls, at);
  const lookup = open(calls, at, "lookup");
  open(calls, elsewhere);
  expect(calls.idOfResult(unnamed(), at)).toBe(refund);
  expect(calls.idOfResult(unnamed("lookup"), at)).toBe(lookup);
  expect(calls.idOfResult(unnamed("pay"), at)).toBeNull();
  expect(calls.idOfResult(unnamed(), connection())).toBeNull();
  expect(calls.idOfResult(unnamed(), undefined)).toBeNull();
  calls.closed(refund);
  const next = open(calls, at);
  expect(next).not.toBe(refund);
  expect(calls.idOfResult(unnamed(), at)).toBe(next);
});

test("once two were open together, results without a call id close nothing: one could be recorded as the other's", () => {
  const calls = new OpenCalls([]);
  const at = connection();
  open(calls, at);
  open(calls, at);
  expect(calls.idOfResult(unnamed(), at)).toBeNull();
  open(calls, at);
  expect(calls.idOfResult(unnamed(), at)).toBeNull();
  const lookup = open(calls, at, "lookup");
  expect(calls.idOfResult(unnamed("lookup"), at)).toBe(lookup);
  const next = connection();
  expect(calls.idOfResult(unnamed(), next)).toBeNull();
  expect(open(calls, next)).toBe(calls.idOfResult(unnamed(), next));
});
