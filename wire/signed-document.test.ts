import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import {
  documentBytes,
  maxDocumentBytes,
  parseSignedDocument,
  type SignedDocument,
  signedDocumentText,
} from "./signed-document.ts";

const signature = (fill: number, key_id: string) => ({ key_id, signature: new Uint8Array(64).fill(fill) });
const sound: SignedDocument = {
  document: "fallback",
  payload: '{"v":1,"π":"\\u0000"}',
  signatures: [signature(1, "0123456789abcdef"), signature(2, "fedcba9876543210")],
};
const text = signedDocumentText(sound);
const json = JSON.parse(text) as Record<string, unknown>;
const written = (change: Record<string, unknown>): Uint8Array => Buffer.from(JSON.stringify({ ...json, ...change }));
const one = (json.signatures as readonly Record<string, unknown>[])[0] as Record<string, unknown>;

test("a document that was written is read as it was", () => {
  expect(parseSignedDocument(Buffer.from(text), "fallback")).toEqual(sound);
});

test("what is signed is its kind, a line feed and the payload's own bytes", () => {
  expect(Buffer.from(documentBytes("scopes", '{"a":"π"}')).toString("utf8")).toBe('interlock scopes v1\n{"a":"π"}');
});

describe("refused", () => {
  const broken: readonly (readonly [string, Uint8Array, string])[] = [
    ["a document of another kind", Buffer.from(text), "not a document of the kind scopes"],
    ["what is not JSON", Buffer.from(text.slice(0, -3)), "not strict JSON"],
    ["a key twice", Buffer.from(text.replace("{", '{"payload":"x",')), "not strict JSON"],
    ["another key", written({ more: 1 }), "not an object of document, payload and signatures"],
    ["no signature", written({ signatures: [] }), "1 to 16 signatures"],
    ["too many signatures", written({ signatures: Array.from({ length: 17 }, () => one) }), "1 to 16 signatures"],
    ["two signatures of one key", written({ signatures: [one, one] }), "two signatures of one key"],
    ["a payload that is no text", written({ payload: {} }), "payload is not text"],
    ["a key id in capitals", written({ signatures: [{ ...one, key_id: "0123456789ABCDEF" }] }), "16 hex digits"],
    ["a signature cut short", written({ signatures: [{ ...one, signature: "AAAA" }] }), "64 bytes of base64"],
    ["too many bytes", Buffer.alloc(maxDocumentBytes + 1, 0x20), "larger than"],
  ];
  test.each(broken)("%s", (name, bytes, message) => {
    const kind = name === "a document of another kind" ? "scopes" : "fallback";
    expect(() => parseSignedDocument(bytes, kind)).toThrow(message);
  });
});
