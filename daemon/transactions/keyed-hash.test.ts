import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../wire/value.ts";
import { keyedHash } from "./keyed-hash.ts";

const key = new Uint8Array(32).fill(7);
const fingerprint = keyedHash(key, "fingerprint");
const refund = { principal: "agent-1", action: "refund", args: { order_id: "ORD-42", amount: 1500 } };

test("is the HMAC of the canonical JSON, under a key of its purpose", () => {
  const ofPurpose = createHmac("sha256", key).update("interlock keyed hash v1\nfingerprint").digest();
  const text = '{"action":"refund","args":{"amount":1500,"order_id":"ORD-42"},"principal":"agent-1"}';
  expect(fingerprint(refund)).toBe(createHmac("sha256", ofPurpose).update(text).digest("hex"));
});

test("one hash as a literal: a change of the form would lose every stored fingerprint", () => {
  expect(fingerprint(refund)).toBe("7f6ce753bf7ce79bc46c1da0df9b86e4908ae14a570effb7c1386a6fafea8ba8");
});

test("the order of keys and the spelling of a number do not matter", () => {
  const same = JSON.parse('{"args":{"amount":1.5e3,"order_id":"ORD-42"},"action":"refund","principal":"agent-1"}');
  expect(fingerprint(same)).toBe(fingerprint(refund));
});

test("a string is not the number it spells, and null is not absence", () => {
  const told = [{ a: 1 }, { a: "1" }, { a: true }, { a: null }, {}].map(fingerprint);
  expect(new Set(told).size).toBe(told.length);
});

test("another purpose and another key give another hash", () => {
  expect(keyedHash(key, "claim")(refund)).not.toBe(fingerprint(refund));
  expect(keyedHash(new Uint8Array(32).fill(8), "fingerprint")(refund)).not.toBe(fingerprint(refund));
});

test("a key that is too short is refused", () => {
  expect(() => keyedHash(new Uint8Array(15), "fingerprint")).toThrow("a key for hashes has at least 16 bytes");
});

test("what is equal as JSON is equal, and what is not is not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      if (same) expect(fingerprint(one as JsonValue)).toBe(fingerprint(other as JsonValue));
      expect(fingerprint(one as JsonValue)).toMatch(/^[0-9a-f]{64}$/);
      expect(fingerprint([one, 0] as JsonValue)).not.toBe(fingerprint([one, 1] as JsonValue));
    }),
  );
});
