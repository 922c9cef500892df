import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit } from "./admission.ts";
import { WireError } from "./errors.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

const refusal = (input: Uint8Array): WireError => {
  try {
    admit(input);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("was admitted");
};

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("refused, with code bad_request", () => {
  test.each<[string, Uint8Array, string]>([
    ["a duplicate key", bytes('{"amount":1,"amount":2}'), "an object holds a key twice"],
    ["a duplicate key with equal values", bytes('{"amount":1,"amount":1}'), "an object holds a key twice"],
    ["a duplicate key written with an escape", bytes('{"a":1,"\\u0061":2}'), "an object holds a key twice"],
    ["a duplicate key far inside", bytes('{"x":[{"y":{"a":1,"b":2,"a":3}}]}'), "an object holds a key twice"],
    ["a duplicate __proto__", bytes('{"__proto__":1,"__proto__":2}'), "an object holds a key twice"],
    ["a duplicate empty key", bytes('{"":1,"":2}'), "an object holds a key twice"],
    ["2^53", bytes("[9007199254740992]"), "an integer beyond 2^53-1"],
    ["2^53+1, which would be rounded", bytes("[9007199254740993]"), "an integer beyond 2^53-1"],
    ["-2^53", bytes("[-9007199254740992]"), "an integer beyond 2^53-1"],
    ["an integer of 400 digits", bytes(`[1${"0".repeat(400)}]`), "an integer beyond 2^53-1"],
    ["1e400", bytes("1e400"), "a number that overflows"],
    ["-1E+400", bytes("[-1E+400]"), "a number that overflows"],
    ["a decimal of 400 digits before its point", bytes(`[1${"0".repeat(400)}.5]`), "a number that overflows"],
    ["1e-400", bytes("[1e-400]"), "a number that underflows to zero"],
    ["a decimal that underflows", bytes(`[0.${"0".repeat(400)}1]`), "a number that underflows to zero"],
    ["a lone high surrogate", bytes('"\\ud800"'), "a lone surrogate"],
    ["a lone low surrogate, upper case", bytes('["\\uDC00"]'), "a lone surrogate"],
    ["surrogates in the wrong order", bytes('"\\udc00\\ud800"'), "a lone surrogate"],
    ["a lone surrogate in a key", bytes('{"\\ud800":1}'), "a lone surrogate in a key"],
    ["a lone surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "not valid UTF-8"],
    ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), "not valid UTF-8"],
    ["half a character", Buffer.from([0x22, 0xe2, 0x82, 0x22]), "not valid UTF-8"],
    ["a byte order mark", Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), "byte order mark"],
    ["129 levels", bytes(nested(129)), "nested deeper than 128 levels"],
    ["four million open brackets", Buffer.alloc(4_000_000, "["), "nested deeper than 128 levels"],
    ["nothing", bytes(""), "syntax error"],
    ["white space only", bytes(" \n"), "syntax error"],
    ["NaN", bytes("[NaN]"), "syntax error"],
    ["Infinity", bytes("[-Infinity]"), "syntax error"],
    ["a trailing comma", bytes("[1,]"), "syntax error"],
    ["single quotes", bytes("{'a':1}"), "syntax error"],
    ["a comment", bytes("[1]//x"), "syntax error"],
    ["two values", bytes("{}{}"), "syntax error"],
    ["an unterminated string", bytes('["abc'), "syntax error"],
    ["an unterminated long string", bytes(`["${"x".repeat(200)}\\"`), "syntax error"],
    ["a number in junk", bytes("[1-2345678901234567890]"), "syntax error"],
    ["a NUL byte", Buffer.from([0x5b, 0, 0x5d]), "syntax error"],
  ])("%s", (_name, input, message) => {
    const error = refusal(input);
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain(message);
    expect(error.id).toBe("");
    expect(error.message).not.toContain("\n");
  });

  test("the message of a syntax error does not quote the text", () => {
    expect(refusal(bytes('{"password":"hunter2",}')).message).toBe("frame is not valid JSON: syntax error");
  });
});

describe("admitted", () => {
  test.each<[string, string, unknown]>([
    ["2^53-1", "[9007199254740991,-9007199254740991]", [9007199254740991, -9007199254740991]],
    ["1E30, a double", "[1E30]", [1e30]],
    ["a whole double with its fraction, as Python writes it", "[1e+16,1.0]", [1e16, 1]],
    ["zeros of every form", "[0,0.0,0e5,0e-999,0.00]", [0, 0, 0, 0, 0]],
    ["the smallest double", "[5e-324]", [5e-324]],
    ["a surrogate pair as escapes", '"\\ud83d\\ude00"', "\u{1f600}"],
    ["escaped text that only looks like an escape", '"\\\\ud800"', "\\ud800"],
    ["a colon, braces and digits in strings", '{"a:{[1e999":":}]"}', { "a:{[1e999": ":}]" }],
    ["escaped quotes in short strings", '{"a\\"":"\\\\","b":"\\\\\\""}', { 'a"': "\\", b: '\\"' }],
    ["the same key in different objects", '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ["white space", ' { "a" :\t1 ,\r\n"b" : [ ] } ', { a: 1, b: [] }],
    ["a byte order mark inside a string", '"\ufeff"', "\ufeff"],
    ["128 levels", nested(128), JSON.parse(nested(128))],
  ])("%s", (_name, text, value) => {
    expect(admit(bytes(text))).toEqual(value);
  });

  test("-0 is admitted, as the double that it is", () => {
    expect(Object.is(admit(bytes("-0")), -0)).toBe(true);
  });

  test("__proto__ is an ordinary own key", () => {
    const value = admit(bytes('{"__proto__":{"admin":true},"a":1}')) as object;
    expect(Object.keys(value)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { admin?: unknown }).admin).toBeUndefined();
  });

  test("a view into a larger buffer is read within its bounds", () => {
    const large = new Uint8Array(bytes('xx{"a":1}yy'));
    expect(admit(large.subarray(2, 9))).toEqual({ a: 1 });
  });
});

describe("JSONTestSuite", () => {
  const suite = JSON.parse(readFileSync(new URL("./testdata/json_test_suite.json", import.meta.url), "utf8")) as {
    parsing: { name: string; base64?: string; bytes?: number }[];
  };
  /** One case is described rather than stored: 50,000 times an array with an object, none closed. */
  const openArrayObject = bytes(`${'[{"":'.repeat(50_000)}\n`);
  const contents = (entry: { base64?: string; bytes?: number }): Buffer => {
    if (entry.base64 !== undefined) return Buffer.from(entry.base64, "base64");
    expect(entry.bytes).toBe(openArrayObject.length);
    return openArrayObject;
  };
  /** Valid JSON that our stricter rules refuse on purpose. */
  const refusedOnPurpose: Readonly<Record<string, string>> = {
    "y_object_duplicated_key.json": "an object holds a key twice",
    "y_object_duplicated_key_and_value.json": "an object holds a key twice",
  };
  const outcome = (entry: { base64?: string; bytes?: number }): "admitted" | string => {
    try {
      admit(contents(entry));
      return "admitted";
    } catch (error) {
      if (error instanceof WireError && error.code === "bad_request") return error.message;
      throw error;
    }
  };
  const named = (prefix: string) => suite.parsing.filter(({ name }) => name.startsWith(prefix));

  test("it is whole", () => {
    expect([named("n_").length, named("y_").length, named("i_").length]).toEqual([188, 95, 35]);
  });
  test.each(named("n_"))("refuses $name", (entry) => {
    expect(outcome(entry)).not.toBe("admitted");
  });
  test.each(named("y_"))("judges $name", (entry) => {
    const rule = refusedOnPurpose[entry.name];
    if (rule === undefined) expect(outcome(entry)).toBe("admitted");
    else expect(outcome(entry)).toContain(rule);
  });
  test.each(named("i_"))("does not crash on $name", (entry) => {
    expect(outcome(entry)).toMatch(/^(admitted|frame )/);
  });
});

describe("properties", () => {
  /** JSON as text with its members as written, so that the generator knows which keys are doubled. */
  interface Written {
    readonly text: string;
    readonly doubled: boolean;
  }
  const key = fc.oneof(fc.constantFrom("a", "b", "__proto__", ":", '"', "\\", "10"), fc.string({ unit: "binary" }));
  const keyText = fc.tuple(key, fc.boolean()).map(([name, escaped]) => ({
    name,
    text: escaped
      ? `"${[...Array(name.length).keys()].map((i) => `\\u${name.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`
      : JSON.stringify(name),
  }));
  const space = fc.constantFrom("", "", " ", "\n\t");
  const scalar = fc.oneof(
    fc.constantFrom("null", "true", "false", "-0", "1e5", "123456789012345"),
    fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }).map((n) => JSON.stringify(n)),
    fc.string({ unit: "binary", maxLength: 80 }).map((text) => JSON.stringify(text)),
    // Long runs of quotes and backslashes, across the end of the byte loop.
    fc.string({ unit: fc.constantFrom('"', "\\", "x", ":", "{"), maxLength: 250 }).map((text) => JSON.stringify(text)),
  );
  const written = fc.letrec<{ value: Written }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      scalar.map((text) => ({ text, doubled: false })),
      fc.tuple(fc.array(tie("value"), { maxLength: 4 }), space).map(([items, gap]) => ({
        text: `[${items.map(({ text }) => gap + text + gap).join(",")}]`,
        doubled: items.some(({ doubled }) => doubled),
      })),
      fc.tuple(fc.array(fc.tuple(keyText, tie("value")), { maxLength: 4 }), space).map(([members, gap]) => ({
        text: `{${members.map(([name, { text }]) => `${gap}${name.text}${gap}:${text}`).join(",")}}`,
        doubled:
          new Set(members.map(([{ name }]) => name)).size < members.length ||
          members.some(([, value]) => value.doubled),
      })),
    ),
  })).value;

  test("valid JSON is admitted as JSON.parse reads it, unless an object holds a key twice", () => {
    fc.assert(
      fc.property(written, ({ text, doubled }) => {
        if (doubled) expect(refusal(bytes(text)).message).toContain("an object holds a key twice");
        else expect(admit(bytes(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("whatever is admitted, JSON.parse accepts; whatever is not, is a bad_request", () => {
    const alphabet = fc.constantFrom(...'{}[]:,"\\0123456789.eE+-truefalsn u\nd8\u00e9');
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(alphabet, { maxLength: 60 }).map((parts) => new Uint8Array(bytes(parts.join("")))),
    );
    fc.assert(
      fc.property(junk, (input) => {
        let value: unknown;
        try {
          value = admit(input);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          expect((error as WireError).code).toBe("bad_request");
          return;
        }
        expect(value).toEqual(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input)));
      }),
      { numRuns: 5000 },
    );
  });

  test("an integer token is admitted exactly where it is within 2^53-1", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }), fc.bigInt()), (integer) => {
        const limit = 2n ** 53n - 1n;
        const text = `[${integer}]`;
        if (integer >= -limit && integer <= limit) expect(admit(bytes(text))).toEqual([Number(integer)]);
        else expect(refusal(bytes(text)).message).toContain("an integer beyond 2^53-1");
      }),
      { numRuns: 2000 },
    );
  });

  test("a decimal token is admitted exactly where a double keeps its magnitude", () => {
    const digits = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom(..."00123456789"), minLength: 1, maxLength });
    const token = fc
      .tuple(
        fc.constantFrom("", "-"),
        fc.constantFrom("0", "1", "9".repeat(40), "9".repeat(308), "9".repeat(310)),
        fc.option(
          fc.oneof(
            digits(20),
            digits(4).map((end) => "0".repeat(320) + end),
          ),
        ),
        fc.option(fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), digits(4))),
      )
      .filter(([, , fraction, exponent]) => fraction !== null || exponent !== null)
      .map(
        ([sign, whole, fraction, exponent]) =>
          `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : exponent.join("")}`,
      );
    fc.assert(
      fc.property(token, (text) => {
        const value = Number(text);
        const isZero = !/[1-9]/.test(text.split(/[eE]/)[0] ?? "");
        if (!Number.isFinite(value)) expect(refusal(bytes(text)).message).toContain("a number that overflows");
        else if (value === 0 && !isZero) expect(refusal(bytes(text)).message).toContain("underflows to zero");
        else expect(admit(bytes(text))).toBe(value);
      }),
      { numRuns: 3000 },
    );
  });
});
