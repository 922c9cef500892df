import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WireError } from "../../wire/errors.ts";
import { maxListed, maxNoteBytes } from "./limits.ts";
import { approvalId, transactionId } from "./plane.testkit.ts";
import { parseOperatorRequest } from "./request.ts";

const approval_id = approvalId("one");
const transaction_id = transactionId("one");
const frame = (ask: unknown, with_: unknown, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ ask, id: "7", token: "t", v: 1, with: with_, ...more }));
const refused = (line: Uint8Array): string => {
  try {
    parseOperatorRequest(line);
    return "";
  } catch (error) {
    if (error instanceof WireError) return `${error.id}|${error.code}: ${error.message}`;
    throw error;
  }
};

describe("a request is read", () => {
  test.each<[ask: string, with_: object, read: object]>([
    ["approvals.list", { status: "all", limit: 5 }, { status: "all", limit: 5 }],
    ["approvals.show", { approval_id }, { approval_id }],
    [
      "approvals.grant",
      { approval_id, scope: { kind: "once" } },
      { scope: { kind: "once" }, until_ms: null, note: null },
    ],
    [
      "approvals.grant",
      { approval_id, scope: { kind: "shape", paths: ["a", "b[].c"] }, until_s: 7, note: "n" },
      { scope: { kind: "shape", paths: ["a", "b[].c"] }, until_ms: 7000, note: "n" },
    ],
    ["approvals.deny", { approval_id, note: null }, { approval_id, note: null }],
    ["approvals.revoke", { approval_id }, { approval_id }],
    ["approvals.watch", {}, {}],
    ["transactions.list", { status: "unknown", limit: 1 }, { status: "unknown", limit: 1 }],
    ["transactions.show", { transaction_id }, { transaction_id }],
    ["transactions.resolve", { transaction_id, as: "failed" }, { transaction_id, as: "failed" }],
  ])("%s %j", (ask, with_, read) => {
    expect(parseOperatorRequest(frame(ask, with_))).toMatchObject({ id: "7", token: "t", ask: { kind: ask, ...read } });
  });
});

describe("a request is refused, with its id where it has one", () => {
  const grant = { approval_id, scope: { kind: "once" } };
  test.each<[name: string, line: Uint8Array, message: string]>([
    ["no JSON", Buffer.from("{"), "|bad_request: frame is not valid JSON"],
    ["a list", Buffer.from("[]"), "|bad_request: frame must be a JSON object"],
    ["another version", frame("approvals.watch", {}, { v: 2 }), "|bad_version: "],
    ["an unknown key", frame("approvals.watch", {}, { event: 1 }), "7|bad_request: unknown frame key(s): event"],
    ["no token", frame("approvals.watch", {}, { token: "" }), "7|bad_request: token must be a non-empty string"],
    ["a token that is none", frame("approvals.watch", {}, { token: 7 }), "7|bad_request: token must be"],
    ["an id that is none", frame("approvals.watch", {}, { id: 7 }), "|bad_request: id must be"],
    ["an ask that is none", frame("approvals.erase", {}), "7|bad_request: ask must be one of approvals.list"],
    ["an inherited ask", frame("constructor", {}), "7|bad_request: ask must be one of"],
    ["an ask of another type", frame(7, {}), "7|bad_request: ask must be one of"],
    ["no body", frame("approvals.watch", null), "7|bad_request: with must be a JSON object"],
    [
      "an unknown key in it",
      frame("approvals.revoke", { approval_id, force: true }),
      "7|bad_request: unknown with key(s)",
    ],
    ["a status that is none", frame("approvals.list", { status: "x", limit: 1 }), "7|bad_request: with.status must be"],
    ["no limit", frame("approvals.list", { status: "all" }), "7|bad_request: with.limit must be"],
    ["limit 0", frame("approvals.list", { status: "all", limit: 0 }), "7|bad_request: with.limit must be from 1"],
    ["a large limit", frame("approvals.list", { status: "all", limit: maxListed + 1 }), "7|bad_request: with.limit"],
    [
      "an id of no approval",
      frame("approvals.show", { approval_id: transaction_id }),
      "7|bad_request: with.approval_id",
    ],
    [
      "an id with more",
      frame("approvals.show", { approval_id: `${approval_id}\n` }),
      "7|bad_request: with.approval_id",
    ],
    [
      "an id of no transaction",
      frame("transactions.show", { transaction_id: "tx_" }),
      "7|bad_request: with.transaction_id",
    ],
    ["no scope", frame("approvals.grant", { approval_id }), "7|bad_request: with.scope must be"],
    [
      "a scope that is none",
      frame("approvals.grant", { ...grant, scope: { kind: "all" } }),
      "7|bad_request: with.kind",
    ],
    [
      "a shape of nothing",
      frame("approvals.grant", { ...grant, scope: { kind: "shape", paths: [] } }),
      "7|bad_request: with.scope.paths",
    ],
    [
      "once with paths",
      frame("approvals.grant", { ...grant, scope: { kind: "once", paths: ["a"] } }),
      "7|bad_request: unknown with.scope key(s)",
    ],
    ["a time that is a text", frame("approvals.grant", { ...grant, until_s: "9999" }), "7|bad_request: with.until_s"],
    ["a time that is true", frame("approvals.grant", { ...grant, until_s: true }), "7|bad_request: with.until_s"],
    ["a time of a fraction", frame("approvals.grant", { ...grant, until_s: 1.5 }), "7|bad_request: with.until_s"],
    ["a time below zero", frame("approvals.grant", { ...grant, until_s: -1 }), "7|bad_request: with.until_s"],
    [
      "a time past all dates",
      frame("approvals.grant", { ...grant, until_s: 2 ** 53 - 1 }),
      "7|bad_request: with.until_s is too late",
    ],
    [
      "a long note",
      frame("approvals.deny", { approval_id, note: "é".repeat(maxNoteBytes) }),
      "7|bad_request: with.note must be at most",
    ],
    [
      "an outcome that is none",
      frame("transactions.resolve", { transaction_id, as: "blocked" }),
      "7|bad_request: with.as must be",
    ],
  ])("%s", (_name, line, message) => {
    expect(refused(line)).toContain(message);
  });

  test("whatever it is: no other error, and no message holds what was sent", () => {
    const secret = "s3cret";
    const value = fc.oneof(fc.constant(secret), fc.jsonValue());
    const body = fc.dictionary(
      fc.constantFrom("approval_id", "scope", "until_s", "note", "status", "limit", "as"),
      value,
    );
    const ask = fc.oneof(fc.constantFrom("approvals.grant", "approvals.list", "transactions.resolve"), value);
    fc.assert(
      fc.property(ask, body, value, (ask, with_, token) => {
        const said = refused(frame(ask, with_, { token }));
        expect(said).not.toContain(secret);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        refused(bytes);
      }),
    );
  });
});
