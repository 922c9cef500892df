import { createHash, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import nacl from "tweetnacl";
import { describe, expect, it } from "vitest";
import { generateKeyPair, privateKeyFromSeed } from "./private-key.ts";
import { publicKeyFromRaw } from "./public-key.ts";
import { signBytes } from "./sign-bytes.ts";
import { verifyBytes } from "./verify-bytes.ts";

interface Vectors {
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly {
      readonly tcId: number;
      readonly comment: string;
      readonly msg: string;
      readonly sig: string;
      readonly result: "valid" | "invalid";
    }[];
  }[];
}

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
const { testGroups } = JSON.parse(
  readFileSync(new URL("./testdata/ed25519_test.json", import.meta.url), "utf8"),
) as Vectors;
const vectors = testGroups.flatMap(({ publicKey, tests }) => tests.map((test) => ({ ...test, pk: publicKey.pk })));

describe("Ed25519", () => {
  it("has all vectors of the file", () => {
    expect(vectors).toHaveLength(151);
  });

  it.each(vectors)("verifies vector $tcId as $result: $comment", ({ pk, msg, sig, result }) => {
    expect(verifyBytes(bytes(msg), bytes(sig), publicKeyFromRaw(bytes(pk)))).toBe(result === "valid");
  });

  it("signs with tweetnacl what node:crypto verifies, and the other way round", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 200 }),
        (seed, message) => {
          const key = privateKeyFromSeed(seed);
          const ours = signBytes(message, key);
          const nodes = new Uint8Array(sign(null, message, key.object));
          expect(ours).toEqual(nodes);
          expect(verify(null, message, key.publicKey.object, ours)).toBe(true);
          expect(nacl.sign.detached.verify(message, nodes, key.publicKey.raw)).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("refuses a signature with one bit changed, of another key, or of another length", () => {
    const key = generateKeyPair();
    const message = new TextEncoder().encode("a message");
    const signature = signBytes(message, key);
    expect(verifyBytes(message, signature, key.publicKey)).toBe(true);
    for (const at of [0, 31, 32, 63]) {
      const changed = signature.slice();
      changed[at]! ^= 1;
      expect(verifyBytes(message, changed, key.publicKey)).toBe(false);
    }
    expect(verifyBytes(message, signature, generateKeyPair().publicKey)).toBe(false);
    expect(verifyBytes(message, signature.slice(0, 63), key.publicKey)).toBe(false);
    expect(verifyBytes(message, new Uint8Array(65), key.publicKey)).toBe(false);
  });

  it("names a key by the first 16 hex digits of SHA-256 over its raw bytes", () => {
    const { raw, keyId } = generateKeyPair().publicKey;
    expect(keyId).toBe(createHash("sha256").update(raw).digest("hex").slice(0, 16));
  });

  it("refuses a key of another length", () => {
    expect(() => publicKeyFromRaw(new Uint8Array(31))).toThrow(RangeError);
    expect(() => privateKeyFromSeed(new Uint8Array(33))).toThrow(RangeError);
  });
});
