import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { decodeValue, encodeValue } from "./codec.ts";
import { Unrepresentable, WireError } from "./errors.ts";
import type { JsonValue } from "./value.ts";

const withEscape = { escape: true };
const envelope = (b64: unknown) => ({ __interlock__: "bytes", b64 });

describe("encode", () => {
  test.each<[string, unknown, JsonValue]>([
    ["Uint8Array", new Uint8Array([0, 1, 255]), { __interlock__: "bytes", b64: "AAH/" }],
    ["Buffer", Buffer.from([0]), { __interlock__: "bytes", b64: "AA==" }],
    ["no bytes", new Uint8Array(0), { __interlock__: "bytes", b64: "" }],
    [
      "a view within its buffer",
      new Uint8Array([9, 0, 1, 255, 9]).subarray(1, 4),
      { __interlock__: "bytes", b64: "AAH/" },
    ],
    ["bytes of another realm", runInNewContext("new Uint8Array([0, 1, 255])"), { __interlock__: "bytes", b64: "AAH/" }],
    ["a Set, sorted by its members' canonical text", new Set([1, 2, 10]), [1, 10, 2]],
    ["a Set of another realm", runInNewContext("new Set(['b', 'a'])"), ["a", "b"]],
    [
      "a Set of objects and bytes",
      new Set<unknown>([{ b: 1, a: 2 }, new Uint8Array([0])]),
      [
        { __interlock__: "bytes", b64: "AA==" },
        { a: 2, b: 1 },
      ],
    ],
    ["only the tag", { __interlock__: "bytes" }, { __interlock__: "bytes" }],
    ["another tag", { __interlock__: "passthrough", b64: "AAH/" }, { __interlock__: "passthrough", b64: "AAH/" }],
    ["three keys", { __interlock__: "bytes", b64: "", c: 1 }, { __interlock__: "bytes", b64: "", c: 1 }],
    ["a tag that is no string", { __interlock__: 1, b64: "" }, { __interlock__: 1, b64: "" }],
    ["largest safe integers", [2 ** 53 - 1, -(2 ** 53 - 1)], [9007199254740991, -9007199254740991]],
    ["a fraction", [0.1, 1e-300], [0.1, 1e-300]],
  ])("%s", (_name, value, json) => {
    expect(encodeValue(value)).toEqual(json);
  });

  test("an own __proto__ key stays an own key", () => {
    const encoded = encodeValue(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(Object.keys(encoded)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(encoded)).toBe(Object.prototype);
  });

  test("the value is copied", () => {
    const value = { a: [1] };
    const encoded = encodeValue(value) as { a: number[] };
    expect(encoded).toEqual(value);
    expect(encoded).not.toBe(value);
    expect(encoded.a).not.toBe(value.a);
  });
});

describe("refused as unrepresentable", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const hole = [1, 2, 3];
  delete hole[1];
  let deep: unknown = 1;
  for (let i = 0; i < 129; i++) deep = [deep];
  let shared: unknown = 1;
  for (let i = 0; i < 60; i++) shared = [shared, shared];
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["2^53", 2 ** 53],
    ["-2^53", -(2 ** 53)],
    ["1e300", 1e300],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["a Map", new Map([["a", 1]])],
    ["a Date", new Date(0)],
    ["a RegExp", /a/],
    ["an Error", new Error("x")],
    [
      "a class instance",
      new (class A {
        x = 1;
      })(),
    ],
    ["a subclass of Set", new (class S extends Set {})()],
    ["a Set with a property", Object.assign(new Set(), { extra: 1 })],
    ["a subclass of Array", new (class L extends Array {})()],
    ["an ArrayBuffer", new ArrayBuffer(1)],
    ["a DataView", new DataView(new ArrayBuffer(1))],
    ["Uint8ClampedArray", new Uint8ClampedArray(1)],
    ["Int8Array", new Int8Array(1)],
    ["Uint16Array", new Uint16Array(1)],
    ["Float64Array", new Float64Array(1)],
    ["an object that claims to be Uint8Array", { [Symbol.toStringTag]: "Uint8Array" }],
    ["a symbol key", { [Symbol("s")]: 1 }],
    ["a hidden property", Object.defineProperty({}, "hidden", { value: 1, enumerable: false })],
    ["a hole", hole],
    ["an array with a property", Object.assign([1], { index: 0 })],
    ["a cycle", cyclic],
    ["129 levels", deep],
    ["one object shared 2^60 times", shared],
    ["the exact shape of encoded bytes", { __interlock__: "bytes", b64: "AAH/" }],
    ["the exact shape with its keys the other way round", { b64: "AAH/", __interlock__: "bytes" }],
    ["the exact shape with something else in it", { __interlock__: "bytes", b64: 1 }],
  ])("%s", (_name, value) => {
    expect(() => encodeValue(value)).toThrow(Unrepresentable);
    expect(() => encodeValue([{ a: value }])).toThrow(Unrepresentable);
    expect(() => encodeValue(new Set([value]))).toThrow(Unrepresentable);
  });

  test("the message names the place and the kind, not the value", () => {
    const value = { items: [1, { when: new Date(0) }] };
    expect(() => encodeValue(value)).toThrow("items[1].when: an object that is not plain has no JSON form");
    expect(() => encodeValue({ "a\nb": undefined })).toThrow("<3 characters>: undefined has no JSON form");
  });

  test("the error says unrepresentable", () => {
    expect(() => encodeValue(undefined)).toThrow(expect.objectContaining({ code: "unrepresentable" }));
  });
});

describe("decode", () => {
  test("an envelope becomes bytes with memory of their own", () => {
    const decoded = decodeValue({ a: [envelope("AAH/")] } as JsonValue) as unknown as { a: Uint8Array[] };
    expect(decoded.a[0]).toEqual(new Uint8Array([0, 1, 255]));
    expect(decoded.a[0]?.buffer.byteLength).toBe(3);
    expect(Object.getPrototypeOf(decoded.a[0])).toBe(Uint8Array.prototype);
  });

  test.each<[string, unknown]>([
    ["a character outside the alphabet", "AA*/"],
    ["the URL-safe alphabet", "AAH_"],
    ["missing padding", "AA"],
    ["too much padding", "AAH/="],
    ["padding only", "===="],
    ["non-zero trailing bits", "AAF="],
    ["white space", "AAH/\n"],
    ["a number", 1],
    ["null", null],
    ["an object", {}],
  ])("refuses b64 with %s", (_name, b64) => {
    for (const options of [{ escape: false }, withEscape]) {
      expect(() => decodeValue({ x: envelope(b64) } as JsonValue, options)).toThrow(
        expect.objectContaining({ code: "bad_request" }),
      );
    }
  });

  test.each<[string, JsonValue]>([
    ["only the tag", { __interlock__: "bytes" }],
    ["another tag", { __interlock__: "passthrough", b64: "AAH/" }],
    ["three keys", { __interlock__: "bytes", b64: "*", c: 1 }],
    ["what would be an escape, without the feature", { __interlock__: "=bytes", b64: "AAH/" }],
    ["nothing to decode", { a: [1, { b: null }], c: "x" }],
  ])("passes through untouched, without a copy: %s", (_name, json) => {
    expect(decodeValue(json)).toBe(json);
  });

  test("copies only the way to what it decodes, and leaves its input as it was", () => {
    const same = { deep: [1] };
    const json = { a: { b: envelope("AA==") }, same } as JsonValue;
    const before = JSON.stringify(json);
    const decoded = decodeValue(json) as { same: unknown };
    expect(decoded).not.toBe(json);
    expect(decoded.same).toBe(same);
    expect(JSON.stringify(json)).toBe(before);
  });

  test("an own __proto__ key stays an own key, decoded or beside what is", () => {
    const json = JSON.parse(
      '{"__proto__":{"__interlock__":"bytes","b64":"AA=="},"a":{"__interlock__":"bytes","b64":""}}',
    );
    const decoded = decodeValue(json) as Record<string, unknown>;
    expect(Object.keys(decoded)).toEqual(["__proto__", "a"]);
    expect(Object.getOwnPropertyDescriptor(decoded, "__proto__")?.value).toEqual(new Uint8Array(1));
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });
});

describe("the escape", () => {
  test.each<[unknown, JsonValue]>([
    [envelope("AAH/"), { __interlock__: "=bytes", b64: "AAH/" }],
    [
      { __interlock__: "=bytes", b64: 1 },
      { __interlock__: "==bytes", b64: 1 },
    ],
    [
      { __interlock__: "=", b64: null },
      { __interlock__: "==", b64: null },
    ],
    [
      { __interlock__: "other", b64: 1 },
      { __interlock__: "other", b64: 1 },
    ],
    [{ __interlock__: "=bytes" }, { __interlock__: "=bytes" }],
    [
      envelope(envelope(new Uint8Array(1))),
      {
        __interlock__: "=bytes",
        b64: { __interlock__: "=bytes", b64: { __interlock__: "bytes", b64: "AA==" } },
      },
    ],
  ])("%j travels as %j and comes back", (value, json) => {
    expect(encodeValue(value, withEscape)).toEqual(json);
    expect(decodeValue(json, withEscape)).toEqual(value);
  });

  test("refuses an escape of what needs none: a value has one encoding", () => {
    expect(() => decodeValue({ __interlock__: "=other", b64: 1 }, withEscape)).toThrow(WireError);
  });
});

/** Values in which look-alikes of the envelope and of its escape are common. */
const tags = fc.constantFrom("bytes", "=bytes", "==bytes", "=", "=x", "x", "");
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.maxSafeInteger(),
    fc.string({ unit: "grapheme" }),
    fc.uint8Array({ maxLength: 8 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.tuple(fc.oneof(tags, tie("value")), tie("value")).map(([tag, b64]) => ({ __interlock__: tag, b64 })),
    fc
      .array(
        fc.tuple(fc.oneof(fc.string(), fc.constantFrom("__interlock__", "b64", "__proto__", "10")), tie("value")),
        {
          maxLength: 4,
        },
      )
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

describe("properties", () => {
  test("with the escape every value comes back from its canonical text as it was", () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = encodeValue(value, withEscape);
        expect(decodeValue(JSON.parse(canonical(json)), withEscape)).toEqual(withoutNegativeZero(value));
      }),
      { numRuns: 3000 },
    );
  });

  test("with the escape, JSON that decodes is the encoding of what it decodes to", () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.parse(JSON.stringify(encodeValue(value, { escape: true }))) as JsonValue;
        // Read as if it had come from a peer: also what an encoder would not write, such as `=x`.
        const asPeer = (fuzzed: JsonValue): void => {
          let decoded: unknown;
          try {
            decoded = decodeValue(fuzzed, withEscape);
          } catch (error) {
            expect((error as WireError).code).toBe("bad_request");
            return;
          }
          expect(canonical(encodeValue(decoded, withEscape))).toBe(canonical(fuzzed));
        };
        asPeer(json);
        asPeer({ __interlock__: "bytes", b64: json });
        asPeer({ __interlock__: "=bytes", b64: json });
        asPeer({ __interlock__: "=x", b64: json });
      }),
      { numRuns: 1000 },
    );
  });

  test("without the escape a value either comes back as it was or is refused", () => {
    fc.assert(
      fc.property(values, (value) => {
        let json: JsonValue;
        try {
          json = encodeValue(value);
        } catch (error) {
          expect(error).toBeInstanceOf(Unrepresentable);
          return;
        }
        expect(decodeValue(json)).toEqual(value);
      }),
      { numRuns: 3000 },
    );
  });
});

/** JSON has one zero. */
function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNegativeZero(item)]));
}
