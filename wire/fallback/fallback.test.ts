import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { WireError } from "../errors.ts";
import type { JsonObject } from "../value.ts";
import { decideOffline } from "./decide.ts";
import { parseFallbackPolicy } from "./parse-policy.ts";
import { pathPlace } from "./path-place.ts";

const payloadOf = (rules: readonly object[]): string =>
  JSON.stringify({
    ...{ v: 1, id: "p", version: 1, created: "2026-12-01T00:00:00.000Z" },
    ...{ not_before: null, not_after: "2027-01-01T00:00:00.000Z", rules },
  });

const pieces = fc.array(fc.constantFrom("/", "..", ".", "a", "srv", "srv-old", "\\", "\0", "é", " "), {
  maxLength: 12,
});

test("a path that is inside is inside however a file system puts it in order", () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = `/srv${parts.join("")}`;
      if (pathPlace(path, "/srv/") !== "inside") return;
      const ordered = posix.normalize(path);
      expect(ordered === "/srv" || ordered.startsWith("/srv/")).toBe(true);
      expect(path).not.toMatch(/[\0\\]/);
    }),
    { numRuns: 2000 },
  );
});

const value = fc.oneof(
  fc.constantFrom<unknown>("ro", "rw", "", 0, 1, 7, -1, 1.5, true, false, null, "1", "true"),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom("id", "mode"), fc.constantFrom("ro", 1, null), { maxKeys: 2 }),
);
const args = fc.dictionary(fc.constantFrom("mode", "n", "other", "__proto__"), value, { maxKeys: 3 });
const tests = fc.constantFrom<object>(
  { one_of: ["ro"] },
  { one_of: [1, true] },
  { min: 0, max: 5 },
  { prefix: ["/a/"] },
);
const where = fc.dictionary(fc.constantFrom("mode", "n", "mode.id", "n.*"), tests, { minKeys: 1, maxKeys: 2 });

test("what an allow holds of, a block of the same conditions holds of: a block is the wider one", () => {
  fc.assert(
    fc.property(args, where, (given, conditions) => {
      const rule = { id: "r", actions: ["a"], where: conditions };
      const event = { action: "a", phase: "call" as const, principal: null, args: given as JsonObject };
      const allowed = decideOffline(parseFallbackPolicy(payloadOf([{ ...rule, effect: "allow" }])), event);
      const blocking = [
        { ...rule, effect: "block" },
        { id: "rest", effect: "allow", actions: ["a"] },
      ];
      const blocked = decideOffline(parseFallbackPolicy(payloadOf(blocking)), event);
      if (allowed.verdict === "ALLOW") expect(blocked).toEqual({ verdict: "BLOCK", rule: "r" });
    }),
    { numRuns: 2000 },
  );
});

test("whatever a payload holds, it is a policy or is refused as none", () => {
  const whole = payloadOf([
    { id: "r", effect: "allow", actions: ["a.*"], where: { "x.0": { min: 1, integer: true } } },
  ]);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.string({ maxLength: 3 }), (at, put) => {
      const text = whole.slice(0, at) + put + whole.slice(at + 1);
      try {
        expect(parseFallbackPolicy(text).rules.length).toBe(1);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        expect(error.message).toMatch(/^fallback policy refused: /);
      }
    }),
    { numRuns: 2000 },
  );
});
