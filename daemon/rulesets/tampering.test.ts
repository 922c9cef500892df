import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { parseTrustedKeys } from "../keys/read-trusted-keys.ts";
import { trustIn } from "../keys/trust.ts";
import { parseManifest } from "./manifest.ts";
import { RuleSetRefused } from "./refusal.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { now_ms, openWorkshop, sourceOf, type Workshop } from "./testing.ts";
import { verifyRuleSet } from "./verify.ts";

const key = generateKeyPair();
let workshop: Workshop;
let good: RuleSetFile;
beforeAll(async () => {
  workshop = await openWorkshop();
  good = await workshop.sign(sourceOf(), key);
});
afterAll(() => workshop.close());

const verify = (bytes: Uint8Array) => verifyRuleSet({ path: "f", bytes }, trustIn("rules", [key.publicKey]), now_ms);

describe("a signed file", () => {
  it("with any byte changed is refused, or says exactly what was signed", () => {
    const { digest, bundle } = verify(good.bytes);
    fc.assert(
      fc.property(fc.nat(good.bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Uint8Array.from(good.bytes);
        bytes[at]! ^= change;
        try {
          // White space between tokens is not part of what is signed.
          expect(verify(bytes)).toMatchObject({ digest, bundle });
        } catch (error) {
          expect(error).toBeInstanceOf(RuleSetRefused);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("cut anywhere is refused", () => {
    const end = good.bytes.lastIndexOf("}".charCodeAt(0));
    fc.assert(
      fc.property(fc.nat(end), (length) => {
        expect(() => verify(good.bytes.slice(0, length))).toThrow(RuleSetRefused);
      }),
      { numRuns: 100 },
    );
  });

  it("of any other JSON is refused with one line", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(() => verify(Buffer.from(text))).toThrow(/^[^\n]+$/);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a parser", () => {
  it("of manifests takes no other value", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseManifest(value)).toBeNull();
      }),
    );
  });

  it("of key files refuses any other text, and never with its contents", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (text) => {
        expect(() => parseTrustedKeys(text, "t")).toThrow(expect.objectContaining({ code: "key_malformed" }));
        expect(() => parseTrustedKeys(text, "t")).not.toThrow(text);
      }),
    );
  });
});
