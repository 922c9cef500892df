import fc from "fast-check";
import { expect, test } from "vitest";
import { maxKeptAnswersPerSession } from "../../wire/limits.ts";
import { maxIndexedRequests, maxSessions, ResendIndex } from "./resend-index.ts";

test("finds the newest receipt of a request, for its own session only", () => {
  const index = new ResendIndex();
  index.note("a", "1", 1, null);
  index.note("a", "2", 2, null);
  index.note("a", "1", 3, null);
  expect(index.find("a", "1")).toBe(3);
  expect(index.find("a", "2")).toBe(2);
  expect(index.find("a", "3")).toBeNull();
  expect(index.find("b", "1")).toBeNull();
});

test("agrees with a list of everything noted, as far back as a session is remembered", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(3000)), { maxLength: 3000 }), (notes) => {
      const index = new ResendIndex();
      for (const [seq, [session, request]] of notes.entries()) index.note(session, `request-${request}`, seq, null);
      for (const session of ["a", "b"]) {
        const own = [...notes.entries()].filter(([, [of]]) => of === session).slice(-maxKeptAnswersPerSession);
        const newest = new Map(own.map(([seq, [, request]]) => [`request-${request}`, seq]));
        for (const [request, seq] of newest) expect(index.find(session, request)).toBe(seq);
      }
    }),
    { numRuns: 10 },
  );
});

test("a session remembers its newest requests and forgets the older ones", () => {
  const index = new ResendIndex();
  for (let seq = 1; seq <= maxKeptAnswersPerSession + 1; seq++) index.note("a", String(seq), seq, null);
  expect(index.find("a", "1")).toBeNull();
  expect(index.find("a", "2")).toBe(2);
  expect(index.find("a", String(maxKeptAnswersPerSession + 1))).toBe(maxKeptAnswersPerSession + 1);
  expect(index.size).toBe(maxKeptAnswersPerSession);
});

test("the session that was idle longest is forgotten first, and the newest never", () => {
  const index = new ResendIndex();
  for (let seq = 1; seq <= maxSessions; seq++) index.note(`s${seq}`, "r", seq, null);
  index.note("s1", "again", maxSessions + 1, null);
  index.note("one more", "r", maxSessions + 2, null);
  expect(index.find("s1", "r")).toBe(1);
  expect(index.find("s2", "r")).toBeNull();
  expect(index.find("one more", "r")).toBe(maxSessions + 2);
});

test("all sessions together stay within the bound", () => {
  const index = new ResendIndex();
  let seq = 0;
  for (let session = 0; session < maxSessions; session++) {
    for (let request = 0; request < maxKeptAnswersPerSession; request++)
      index.note(`s${session}`, `r${request}`, ++seq, null);
    expect(index.size).toBeLessThanOrEqual(maxIndexedRequests);
  }
  expect(index.find(`s${maxSessions - 1}`, "r0")).not.toBeNull();
});

test("finds the newest receipt of a call by session, id and action together", () => {
  const index = new ResendIndex();
  const refund = { call_id: "c", action: "refund" };
  index.note("a", "1", 1, refund);
  index.note("a", "2", 2, { call_id: "c", action: "pay" });
  index.note("a", "3", 3, null);
  index.note("b", "1", 4, { call_id: "d", action: "refund" });
  expect(index.findCall("a", refund)).toBe(1);
  expect(index.findCall("a", { call_id: "c", action: "pay" })).toBe(2);
  expect(index.findCall("b", refund)).toBeNull();
  expect(index.findCall("c", refund)).toBeNull();
  index.note("a", "4", 5, { ...refund });
  expect(index.findCall("a", refund)).toBe(5);
  for (let seq = 6; seq < 6 + maxKeptAnswersPerSession; seq++) index.note("a", String(seq), seq, null);
  expect(index.findCall("a", refund)).toBeNull();
});
