import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyRefused } from "./key-error.ts";
import { believedIds, day_ms, listed, ringText, start_ms, trustOf } from "./keyring.testkit.ts";
import { generateKeyPair } from "./private-key.ts";
import { trustFrom } from "./trust-files.ts";

const [key, other] = [generateKeyPair(), generateKeyPair()];
const pemOf = ({ publicKey }: typeof key): string =>
  publicKey.object.export({ format: "pem", type: "spki" }).toString();

describe("a keyring", () => {
  it("believes a key in its roles and in no other", () => {
    const trust = trustOf({ keys: [listed(key, ["rules", "tokens"]), listed(other, ["receipts"])] });
    expect(believedIds(trust, "rules", start_ms)).toEqual([key.keyId]);
    expect(believedIds(trust, "tokens", start_ms)).toEqual([key.keyId]);
    expect(believedIds(trust, "receipts", start_ms)).toEqual([other.keyId]);
    expect(believedIds(trust, "scopes", start_ms)).toEqual([]);
    expect(trust.standingOf("scopes", key.keyId, start_ms)).toBe("other_role");
    expect(trust.standingOf("rules", "0123456789abcdef", start_ms)).toBe("unknown");
  });

  it("believes a key from its first day on and until its last moment", () => {
    const days = { not_before_ms: start_ms, not_after_ms: start_ms + day_ms };
    const trust = trustOf({ keys: [listed(key, ["rules"], days)] });
    const standing = (at_ms: number) => [
      trust.standingOf("rules", key.keyId, at_ms),
      believedIds(trust, "rules", at_ms).length,
    ];
    expect(standing(start_ms - 1)).toEqual(["not_yet_valid", 0]);
    expect(standing(start_ms)).toEqual(["believed", 1]);
    expect(standing(start_ms + day_ms - 1)).toEqual(["believed", 1]);
    expect(standing(start_ms + day_ms)).toEqual(["expired", 0]);
  });

  it("goes before a file of public keys where both have a key, and stands beside it where not", () => {
    const days = { not_after_ms: start_ms };
    const text = ringText({ keys: [listed(key, ["rules"], days)] });
    const trust = trustFrom({
      trust: [{ path: "k.pub", text: pemOf(key) + pemOf(other) + pemOf(other) }],
      keyring: { path: "r", text },
    });
    expect(believedIds(trust, "rules", start_ms + 1)).toEqual([other.keyId]);
    expect(trust.keysOf("tokens", start_ms)).toEqual([]);
    const tokens = ringText({ keys: [listed(key, ["tokens"])] });
    const moved = trustFrom({ trust: [{ path: "k.pub", text: pemOf(key) }], keyring: { path: "r", text: tokens } });
    expect(moved.keysOf("rules", start_ms)).toEqual([]);
  });

  it("that is none leaves files of public keys alone, in the role rules, without days", () => {
    const trust = trustFrom({ trust: [{ path: "k.pub", text: pemOf(key) }], keyring: null });
    expect(believedIds(trust, "rules", 0)).toEqual([key.keyId]);
    expect(trust.keysOf("receipts", 0)).toEqual([]);
    expect(trust.thresholdOf("rules")).toBe(1);
  });

  it("says how many signers a role needs, one where it does not", () => {
    const trust = trustOf({ keys: [listed(key, ["rules"])], thresholds: { rules: 2 } });
    expect([trust.thresholdOf("rules"), trust.thresholdOf("scopes")]).toEqual([2, 1]);
  });
});

describe("a keyring is refused", () => {
  const good = listed(key, ["rules"]);
  const cases: readonly [what: string, text: string, said: RegExp][] = [
    ["that is empty", "", /strict JSON/],
    ["that is half a file", ringText({ keys: [good] }).slice(0, -9), /strict JSON/],
    ["that has a key twice in an object", '{"v":1,"keys":[],"keys":[]}', /strict JSON/],
    ["that is a list", "[]", /must be an object/],
    ["of another version", ringText({ v: 2 }), /v must be 1/],
    ["with a key that is not known", ringText({ truste: [] }), /none of v, keys/],
    ["without keys", '{"v":1}', /has no keys/],
    ["whose keys are no list", ringText({ keys: {} as never }), /keys must be a list/],
    ["with an id of another key", ringText({ keys: [{ ...good, key_id: other.keyId }] }), /keys\[0\]\.key_id/],
    ["with a short key", ringText({ keys: [{ ...good, public: "AAAA" }] }), /keys\[0\]\.public/],
    ["with a key in URL base64", ringText({ keys: [{ ...good, public: `${"_".repeat(43)}=` }] }), /keys\[0\]\.public/],
    ["with no role", ringText({ keys: [{ ...good, roles: [] }] }), /keys\[0\]\.roles/],
    ["with a role that there is not", ringText({ keys: [{ ...good, roles: ["admin"] }] }), /keys\[0\]\.roles/],
    ["with roles in text", ringText({ keys: [{ ...good, roles: "rules" }] }), /keys\[0\]\.roles/],
    ["with a day that there is not", ringText({ keys: [{ ...good, not_after: "2027-02-30T00:00:00Z" }] }), /not_after/],
    ["with a day of another form", ringText({ keys: [{ ...good, not_before: "2027-02-03" }] }), /not_before/],
    [
      "with days that end before they begin",
      ringText({ keys: [listed(key, ["rules"], { not_before_ms: start_ms, not_after_ms: start_ms })] }),
      /not later/,
    ],
    ["with a comment of two lines", ringText({ keys: [{ ...good, comment: "a\nb" }] }), /comment/],
    ["with one key twice", ringText({ keys: [good, { ...good, roles: ["tokens"] }] }), /twice/],
    ["with a threshold of none", ringText({ thresholds: { rules: 0 } }), /thresholds\.rules/],
    ["with a threshold of a role that there is not", ringText({ thresholds: { root: 1 } }), /thresholds/],
    ["with a threshold in text", ringText({ thresholds: { rules: "2" } }), /thresholds\.rules/],
    ["with a revocation that has no time", ringText({ revoked: [{ key_id: key.keyId, reason: "x" }] }), /revoked\[0\]/],
    ["with a hand-over that is no document", ringText({ handovers: [{}] }), /handovers\[0\]/],
    ["with too many keys", ringText({ keys: Array(257).fill(good) }), /at most 256/],
    ["that is too large", ringText({ comment: "x".repeat(1024 * 1024) }), /larger than/],
  ];
  it.each(cases)("%s", (_what, text, said) => {
    const read = () => trustFrom({ trust: [], keyring: { path: "keyring.json", text } });
    expect(read).toThrow(expect.objectContaining({ name: "KeyRefused", code: "keyring_malformed" }));
    expect(read).toThrow(said);
    expect(read).toThrow(/^keyring keyring\.json: [^\n]+$/);
  });

  it("or says what it said, whatever byte of it is changed", () => {
    const text = ringText({ keys: [listed(key, ["rules"])], thresholds: { rules: 1 } });
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
        const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        try {
          const trust = trustFrom({ trust: [], keyring: { path: "r", text: changed } });
          // Another role or threshold is the owner's to write; another key never comes in under this id.
          for (const { key: kept } of trust.lines) expect(kept.raw).toEqual(key.publicKey.raw);
        } catch (error) {
          expect(error).toBeInstanceOf(KeyRefused);
        }
      }),
      { numRuns: 400 },
    );
  });
});
