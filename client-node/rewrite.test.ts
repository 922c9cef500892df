import fc from "fast-check";
import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { Decision } from "./decision.ts";
import { withoutUndefined } from "./mcp-json.ts";
import { oneLine } from "./one-line.ts";
import { rewrittenArgs } from "./rewrite.ts";
import { freezeDeep, snapshot } from "./snapshot.ts";

const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "a", "b"));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.uint8Array(),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((entries) => {
    const object: Record<string, unknown> = {};
    for (const [name, value] of entries) {
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return object;
  }),
})).object as fc.Arbitrary<Record<string, unknown>>;

const entriesOf = (object: object): [string, unknown][] => Object.entries(object);

test("merging: each key of the rewrite is the rewrite's, every other is the call's, and there are no more", () => {
  fc.assert(
    fc.property(json, json, (args, rewrite) => {
      const decision = new Decision({ verdict: Verdict.MODIFY, modified_args: rewrite as never });
      const before = [entriesOf(args), entriesOf(rewrite)];
      const merged = rewrittenArgs(args, decision);
      expect(new Set(Object.keys(merged))).toEqual(new Set([...Object.keys(args), ...Object.keys(rewrite)]));
      for (const [name, value] of entriesOf(merged)) {
        const source = Object.hasOwn(rewrite, name) ? rewrite : args;
        expect(value).toBe(Object.getOwnPropertyDescriptor(source, name)?.value);
      }
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
      expect([entriesOf(args), entriesOf(rewrite)]).toEqual(before);
      // Once more changes nothing.
      expect(entriesOf(rewrittenArgs(merged, decision))).toEqual(entriesOf(merged));
    }),
  );
});

test("replacing: exactly the rewrite", () => {
  fc.assert(
    fc.property(json, json, (args, rewrite) => {
      const decision = new Decision({ verdict: Verdict.MODIFY, modified_args: rewrite as never }, true);
      const runs = rewrittenArgs(args, decision);
      expect(entriesOf(runs)).toEqual(entriesOf(rewrite));
      expect(runs).not.toBe(rewrite);
    }),
  );
});

const sharesNothing = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || a === null) return true;
  if (a === b) return false;
  if (a instanceof Uint8Array) return a.buffer !== (b as Uint8Array).buffer;
  return entriesOf(a).every(([name, value]) => sharesNothing(value, Object.getOwnPropertyDescriptor(b, name)?.value));
};

test("a snapshot is equal, shares nothing, and can be frozen without freezing the original", () => {
  fc.assert(
    fc.property(json, (args) => {
      const copy = snapshot(args);
      expect(copy).toEqual(args);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(args));
      expect(sharesNothing(args, copy)).toBe(true);
      freezeDeep(copy);
      expect(Object.isFrozen(copy)).toBe(true);
      expect(Object.isFrozen(args)).toBe(false);
    }),
  );
});

test("a snapshot of a Buffer is a Buffer with memory of its own", () => {
  const raw = Buffer.from("ab");
  const copy = snapshot({ raw }).raw as Buffer;
  raw.fill(0);
  expect(copy).toEqual(Buffer.from("ab"));
});

test("a snapshot of a set has members of its own, and one of a value inside itself ends", () => {
  const member = { a: 1 };
  const copy = snapshot({ set: new Set([member]) }).set as Set<typeof member>;
  expect([...copy]).toEqual([{ a: 1 }]);
  expect(copy.has(member)).toBe(false);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  expect(snapshot(cyclic)).toHaveProperty("self.self.self");
});

test("an MCP message without its undefined members is what JSON makes of it", () => {
  fc.assert(
    fc.property(
      fc.object({
        withNullPrototype: false,
        values: [fc.boolean(), fc.integer(), fc.string(), fc.constant(undefined)],
      }),
      (message) => {
        // In arrays JSON writes null for undefined; here it is left for the encoder to refuse.
        const arrays = JSON.stringify(message, (_, value) =>
          Array.isArray(value) ? value.map((item) => item ?? null) : value,
        );
        const kept = withoutUndefined(message);
        expect(JSON.stringify(kept)).toBe(arrays);
        expect(hasUndefinedMember(kept)).toBe(false);
      },
    ),
  );
});

const hasUndefinedMember = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUndefinedMember);
  return Object.values(value).some((item) => item === undefined || hasUndefinedMember(item));
};

test("any text becomes one well-formed line of at most 512 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1200 }), (text) => {
      const line = oneLine(text);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(512);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(line.isWellFormed()).toBe(true);
    }),
  );
  expect(oneLine("a\r\nb\u2028c")).toBe("a b c");
  expect(oneLine("é".repeat(300))).toBe(`${"é".repeat(254)}...`);
});
