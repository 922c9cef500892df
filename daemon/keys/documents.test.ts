import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signedDocumentText } from "../../wire/signed-document.ts";
import { generateKeyPair } from "./private-key.ts";
import { cosignDocument, signDocument } from "./sign-document.ts";
import { type Trust, trustIn } from "./trust.ts";
import { verifyDocument } from "./verify-document.ts";

const [first, second, third, stranger] = [generateKeyPair(), generateKeyPair(), generateKeyPair(), generateKeyPair()];
const now_ms = Date.UTC(2027, 0, 1);
const one = trustIn("scopes", [first.publicKey]);

/** Two of three have to sign; `third` is what `first` handed over to. */
const twoOf: Trust = {
  ...trustIn("scopes", [first.publicKey, second.publicKey, third.publicKey]),
  thresholdOf: () => 2,
  signerOf: (_role, key_id) => (key_id === third.keyId ? first.keyId : key_id),
};

const file = (text: string) => ({ path: "s.json", bytes: Buffer.from(text) });
const textBy = (payload: string, ...keys: readonly ReturnType<typeof generateKeyPair>[]): string => {
  const [by, ...others] = keys;
  return signedDocumentText(others.reduce(cosignDocument, signDocument("scopes", payload, by!)));
};
const verify = (text: string, trust: Trust = one) => verifyDocument(file(text), "scopes", trust, now_ms);

describe("a signed document", () => {
  it("gives its payload where a believed key signed it", () => {
    expect(verify(textBy('{"a":1}', first))).toEqual({ payload: '{"a":1}', key_ids: [first.keyId] });
  });

  it("is refused where nobody signed it who is believed in its role", () => {
    expect(() => verify(textBy("{}", stranger))).toThrow(expect.objectContaining({ code: "document_wrong_key" }));
    const rules = trustIn("rules", [first.publicKey]);
    expect(() => verify(textBy("{}", first), rules)).toThrow(
      `scopes document s.json is signed by key ${first.keyId}, which is not trusted in the role scopes`,
    );
  });

  it("of another kind is none of this one, whoever signed it", () => {
    const text = signedDocumentText(signDocument("fallback", "{}", first));
    expect(() => verify(text)).toThrow(expect.objectContaining({ code: "document_malformed" }));
    const renamed = text.replace('"document":"fallback"', '"document":"scopes"');
    expect(() => verify(renamed)).toThrow(expect.objectContaining({ code: "document_bad_signature" }));
  });

  it("with any byte changed is refused, or says what was signed", () => {
    const text = textBy('{"version":3}', first);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), (at, change) => {
        const bytes = Buffer.from(text);
        bytes[at]! ^= change;
        try {
          expect(verifyDocument({ path: "f", bytes }, "scopes", one, now_ms).payload).toBe('{"version":3}');
        } catch (error) {
          expect(error).toMatchObject({ name: "DocumentRefused" });
          expect((error as Error).message).not.toContain("\n");
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a threshold of two", () => {
  it("is met by two signers, in either order", () => {
    expect(verify(textBy("{}", first, second), twoOf).key_ids).toEqual([first.keyId, second.keyId]);
    expect(verify(textBy("{}", second, first), twoOf).key_ids).toEqual([second.keyId, first.keyId]);
  });

  it("is not met by one, and says how many of how many", () => {
    expect(() => verify(textBy("{}", first), twoOf)).toThrow(
      expect.objectContaining({
        code: "document_too_few_signatures",
        message: expect.stringContaining("1 of the 2 signatures"),
      }),
    );
  });

  it("is not met by one and a stranger", () => {
    expect(() => verify(textBy("{}", first, stranger), twoOf)).toThrow(/1 of the 2/);
  });

  it("is not met by a key and the one that it handed over to: they are one signer", () => {
    expect(() => verify(textBy("{}", first, third), twoOf)).toThrow(/1 of the 2/);
    expect(verify(textBy("{}", third, second), twoOf).key_ids).toHaveLength(2);
  });

  it("is not helped by signing twice: one key has one signature", () => {
    expect(() => verify(textBy("{}", first, first), twoOf)).toThrow(/1 of the 2/);
  });

  it("refuses all of it where one believed signature does not hold", () => {
    const document = signDocument("scopes", "{}", first);
    const other = signDocument("scopes", "{ }", second).signatures[0]!;
    const text = signedDocumentText({ ...document, signatures: [...document.signatures, other] });
    expect(() => verify(text, { ...twoOf, thresholdOf: () => 1 })).toThrow(/its signature does not hold/);
  });
});
