import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical, canonicalJson, quote } from "./canonical.ts";
import { Unrepresentable } from "./errors.ts";
import type { JsonValue } from "./value.ts";

const vector = (path: string): Buffer => readFileSync(new URL(`./testdata/jcs/${path}`, import.meta.url));

describe("the published vectors of RFC 8785, byte for byte", () => {
  test.each(["arrays", "french", "structures", "unicode", "values", "weird"])("%s", (name) => {
    const bytes = Buffer.from(canonical(JSON.parse(vector(`input/${name}.json`).toString("utf8"))), "utf8");
    const hex = vector(`outhex/${name}.txt`).toString("latin1").replaceAll(/\s+/g, "");
    expect(bytes.toString("hex")).toBe(hex);
    expect(bytes.equals(vector(`output/${name}.json`))).toBe(true);
  });
});

const double = (bits: bigint): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};

describe("numbers", () => {
  test.each([
    [0x0000000000000000n, "0"],
    [0x8000000000000000n, "0"],
    [0x0000000000000001n, "5e-324"],
    [0x8000000000000001n, "-5e-324"],
    [0x7fefffffffffffffn, "1.7976931348623157e+308"],
    [0xffefffffffffffffn, "-1.7976931348623157e+308"],
    [0x4340000000000000n, "9007199254740992"],
    [0xc340000000000000n, "-9007199254740992"],
    [0x4430000000000000n, "295147905179352830000"],
    [0x44b52d02c7e14af5n, "9.999999999999997e+22"],
    [0x44b52d02c7e14af6n, "1e+23"],
    [0x44b52d02c7e14af7n, "1.0000000000000001e+23"],
    [0x444b1ae4d6e2ef4en, "999999999999999700000"],
    [0x444b1ae4d6e2ef4fn, "999999999999999900000"],
    [0x444b1ae4d6e2ef50n, "1e+21"],
    [0x3eb0c6f7a0b5ed8cn, "9.999999999999997e-7"],
    [0x3eb0c6f7a0b5ed8dn, "0.000001"],
    [0x41b3de4355555553n, "333333333.3333332"],
    [0x41b3de4355555554n, "333333333.33333325"],
    [0x41b3de4355555555n, "333333333.3333333"],
    [0x41b3de4355555556n, "333333333.3333334"],
    [0x41b3de4355555557n, "333333333.33333343"],
    [0xbecbf647612f3696n, "-0.0000033333333333333333"],
    [0x43143ff3c1cb0959n, "1424953923781206.2"],
  ])("RFC 8785 appendix B: %s is %s", (bits, text) => {
    expect(canonical(double(bits))).toBe(text);
    expect(canonical({ n: [double(bits)] })).toBe(`{"n":[${text}]}`);
  });

  test("1E30 is accepted and -0 is written as 0", () => {
    expect(canonical(1e30)).toBe("1e+30");
    expect(canonical([-0])).toBe("[0]");
  });

  /** Number::toString of ECMA-262, steps 5 to 11, from the digits and the exponent of the text itself. */
  const laidOut = (digits: string, n: number): string => {
    const k = digits.length;
    if (k <= n && n <= 21) return digits + "0".repeat(n - k);
    if (0 < n && n <= 21) return `${digits.slice(0, n)}.${digits.slice(n)}`;
    if (-6 < n && n <= 0) return `0.${"0".repeat(-n)}${digits}`;
    const exponent = `${n - 1 < 0 ? "-" : "+"}${Math.abs(n - 1)}`;
    return k === 1 ? `${digits}e${exponent}` : `${digits[0]}.${digits.slice(1)}e${exponent}`;
  };

  /** The decimal of that many digits nearest to the value; of two as near, the even one (toExponential takes the larger). */
  const nearest = (magnitude: number, digitCount: number): [digits: string, n: number] => {
    const [rounded = "", exponent = ""] = magnitude.toExponential(digitCount - 1).split("e");
    const digits = rounded.replace(".", "");
    const exact = magnitude.toExponential(100).split("e")[0]?.replace(".", "") ?? "";
    const below = exact.slice(0, digitCount);
    const isTie = /^50*$/.test(exact.slice(digitCount));
    return [isTie && Number(below.at(-1)) % 2 === 0 ? below : digits, Number(exponent) + 1];
  };

  test("100,000 seeded doubles: the same double, in the fewest digits, laid out as ECMAScript does", () => {
    // splitmix64: every bit pattern is as likely as another.
    let state = 0x1234_5678_9abc_def0n;
    const next = (): bigint => {
      state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
      let z = state;
      z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
      z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
      return z ^ (z >> 31n);
    };
    let checked = 0;
    while (checked < 100_000) {
      const bits = next();
      // A third random patterns, a third of everyday size, a third decimals of a few digits.
      const value =
        checked % 3 === 0
          ? double(bits)
          : checked % 3 === 1
            ? Number(BigInt.asIntN(53, bits)) / 1024
            : Number(BigInt.asIntN(40, bits)) / 1e5;
      if (!Number.isFinite(value) || value === 0) continue;
      checked++;
      const text = canonical(value);
      if (Number(text) !== value) throw new Error(`${bits}: ${text} is another double`);
      const magnitude = Math.abs(value);
      let digitCount = 1;
      while (Number(magnitude.toExponential(digitCount - 1)) !== magnitude) digitCount++;
      const expected = (value < 0 ? "-" : "") + laidOut(...nearest(magnitude, digitCount));
      if (text !== expected) throw new Error(`${bits}: ${text}, expected ${expected}`);
    }
    expect(checked).toBe(100_000);
  });
});

describe("strings and keys", () => {
  test("keys are sorted by UTF-16 code units: U+1F600 before U+FB33", () => {
    expect(canonical({ "\ufb33": 1, "\u{1f600}": 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}');
  });

  test("keys that JavaScript lists by number are sorted as text", () => {
    expect(canonical({ 10: 1, 9: 2, 1: 3, a: 4 })).toBe('{"1":3,"10":1,"9":2,"a":4}');
  });

  test("an own __proto__ key survives, sorted among the others", () => {
    const value = JSON.parse('{"z":1,"__proto__":{"b":1,"a":2},"a":3}');
    expect(canonical(value)).toBe('{"__proto__":{"a":2,"b":1},"a":3,"z":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("control characters have the short escapes, or lower-case hex; DEL and U+2028 are raw", () => {
    expect(canonical('\b\f\n\r\t\u0000\u001f"\\/\u007f\u2028')).toBe(
      '"\\b\\f\\n\\r\\t\\u0000\\u001f\\"\\\\/\u007f\u2028"',
    );
  });

  test("the text backslash u d is not a lone surrogate", () => {
    expect(canonical({ a: "\\ud800" })).toBe('{"a":"\\\\ud800"}');
  });

  test("a toJSON key is data, and a toJSON on a prototype is not called", () => {
    expect(canonical({ toJSON: 1 })).toBe('{"toJSON":1}');
    const polluted = Array.prototype as unknown as { toJSON?: () => string };
    polluted.toJSON = () => "changed";
    try {
      expect(canonical({ a: [1] })).toBe('{"a":[1]}');
    } finally {
      delete polluted.toJSON;
    }
  });

  test("long and short strings are quoted alike", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
        expect(quote(text)).toBe(JSON.stringify(text));
      }),
    );
  });
});

describe("refused as unrepresentable, never dropped", () => {
  class Point {
    x = 1;
  }
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const hole = [1, 2, 3];
  delete hole[1];
  const madeUp: unknown[] = Object.assign([1, 2], { extra: 1 });
  delete madeUp[0];
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a symbol key", { [Symbol("s")]: 1 }],
    ["a hidden property", Object.defineProperty({}, "hidden", { value: 1, enumerable: false })],
    ["a class instance", new Point()],
    ["an object whose prototype is another object", Object.create({ inherited: 1 })],
    ["an object that inherits from a null-prototype object", Object.create(Object.create(null))],
    ["a Map", new Map()],
    ["a Set", new Set()],
    ["a Date", new Date(0)],
    ["a RegExp", /a/],
    ["a boxed number", Object(1)],
    ["bytes", new Uint8Array(1)],
    ["a subclass of Array", new (class extends Array {})()],
    ["a hole in an array", hole],
    ["an array with a property", Object.assign([1], { extra: 1 })],
    ["an array with a symbol key", Object.assign([1], { [Symbol("s")]: 1 })],
    ["a hole made up for by a property", madeUp],
    ["a cycle", cyclic],
    ["129 levels", nested(129)],
    ["129 levels under keys out of order", { 10: 1, 9: nested(128) }],
    ["a lone high surrogate", "\ud800"],
    ["a lone low surrogate in a long string", `${"x".repeat(100)}\udc00`],
    ["a lone surrogate in a key", { "\ud800": 1 }],
    ["surrogates in the wrong order", "\udc00\ud800"],
  ])("%s", (_name, value) => {
    expect(() => canonical(value)).toThrow(Unrepresentable);
    expect(() => canonical({ deep: [value] })).toThrow(Unrepresentable);
  });

  test("a class named Object is a class", () => {
    const Fake = runInNewContext("class Object {}; Object") as new () => object;
    expect(() => canonical(new Fake())).toThrow(Unrepresentable);
    const prototype = Object.assign(Object.create(null), { constructor: Fake });
    Fake.prototype.constructor = Fake;
    expect(() => canonical(Object.create(prototype))).toThrow(Unrepresentable);
  });

  test("128 levels are accepted", () => {
    expect(canonical(nested(128))).toBe(JSON.stringify(nested(128)));
  });

  test("a lone surrogate beside the text backslash u d", () => {
    expect(() => canonical({ a: "\\ud800", b: "\ud800" })).toThrow(Unrepresentable);
  });
});

test("plain objects and arrays of another realm are plain; its classes are not", () => {
  expect(canonical(runInNewContext('({ b: [1, { c: 2 }], a: "x" })'))).toBe('{"a":"x","b":[1,{"c":2}]}');
  expect(canonical(Object.create(null))).toBe("{}");
  expect(() => canonical(runInNewContext("new (class A { x = 1 })()"))).toThrow(Unrepresentable);
  expect(() => canonical(runInNewContext("new (class Object { x = 1 })()"))).toThrow(Unrepresentable);
  expect(() => canonical(runInNewContext("new Map()"))).toThrow(Unrepresentable);
  expect(() => canonical(runInNewContext("new Date()"))).toThrow(Unrepresentable);
});

/** RFC 8785, 3.2 written as plainly as it can be. */
const plainly = (json: unknown): string => {
  if (Array.isArray(json)) return `[${json.map(plainly).join(",")}]`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const members = Object.entries(json).map(([key, value]) => [key, plainly(value)] as const);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
};

test("any JSON: the same as the plain algorithm, parses to the same value, and is a fixed point", () => {
  const key = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "toJSON", "10", "9", "a", "\u{1f600}", "\ufb33"),
  );
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: "binary" }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const text = canonical(value);
      expect(text).toBe(plainly(value));
      expect(canonicalJson(value)).toBe(text);
      const parsed = JSON.parse(text) as JsonValue;
      expect(canonical(parsed)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});
