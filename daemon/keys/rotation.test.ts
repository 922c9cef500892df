import { describe, expect, it } from "vitest";
import { maxHandoverSteps } from "./follow-handovers.ts";
import { believedIds, day_ms, handedOver, listed, revokedBy, start_ms, trustOf } from "./keyring.testkit.ts";
import { generateKeyPair, type PrivateKey } from "./private-key.ts";

const [old, next, last, other, thief] = Array.from({ length: 5 }, generateKeyPair) as [
  PrivateKey,
  PrivateKey,
  PrivateKey,
  PrivateKey,
  PrivateKey,
];
const keys = [listed(old, ["rules"])];
const later_ms = start_ms + 2 * day_ms;

describe("a hand-over", () => {
  it("makes the successor believed beside the old key, from its own first day on", () => {
    const trust = trustOf({ keys, handovers: [handedOver(old, next, { not_before_ms: start_ms + day_ms })] });
    expect(believedIds(trust, "rules", start_ms)).toEqual([old.keyId]);
    expect(believedIds(trust, "rules", later_ms)).toEqual([old.keyId, next.keyId]);
    expect(trust.keysOf("tokens", later_ms)).toEqual([]);
  });

  it("is followed in a row, in whatever order they stand, and all of it is one signer", () => {
    const handovers = [handedOver(next, last), handedOver(old, next)];
    const trust = trustOf({ keys, handovers });
    expect(believedIds(trust, "rules", later_ms)).toEqual([old.keyId, next.keyId, last.keyId]);
    expect([old, next, last].map(({ keyId }) => trust.signerOf("rules", keyId))).toEqual(Array(3).fill(old.keyId));
    expect(trust.signerOf("rules", other.keyId)).toBe(other.keyId);
  });

  it("holds for as long as it says", () => {
    const trust = trustOf({ keys, handovers: [handedOver(old, next, { not_after_ms: start_ms + day_ms })] });
    expect(trust.standingOf("rules", next.keyId, later_ms)).toBe("expired");
  });

  it("goes on when the old key's days are over: it was signed within them", () => {
    const ending = [listed(old, ["rules"], { not_after_ms: start_ms + day_ms })];
    const trust = trustOf({ keys: ending, handovers: [handedOver(old, next)] });
    expect(believedIds(trust, "rules", later_ms)).toEqual([next.keyId]);
  });

  it("may be as long as rotations are looked after, and no longer", () => {
    const row = Array.from({ length: maxHandoverSteps + 2 }, generateKeyPair);
    const handovers = row.slice(1).map((to, index) => handedOver(row[index]!, to));
    const first = [listed(row[0]!, ["rules"])];
    const whole = trustOf({ keys: first, handovers: handovers.slice(0, maxHandoverSteps) });
    expect(believedIds(whole, "rules", later_ms)).toHaveLength(maxHandoverSteps + 1);
    expect(() => trustOf({ keys: first, handovers })).toThrow(/in a row/);
  });

  it.each([
    ["from a key that is not trusted", [handedOver(thief, next)], /not trusted/],
    ["from a key of another role", [handedOver(old, next, { role: "tokens" })], /not trusted/],
    ["that somebody else signed", [handedOver(old, next, { by: thief })], /must have one signature, of key/],
    ["signed before the old key's days", [handedOver(old, next, { at_ms: start_ms - day_ms })], /outside of the days/],
    ["that is a second one of the same key", [handedOver(old, next), handedOver(old, thief)], /second one/],
    ["back to the key that it came from", [handedOver(old, next), handedOver(next, old)], /in the role already/],
    ["to itself", [handedOver(old, old)], /in the role already/],
  ])("is refused %s, and the whole keyring with it", (_what, handovers, said) => {
    const listedWithDays = [listed(old, ["rules"], { not_before_ms: start_ms })];
    const read = () => trustOf({ keys: listedWithDays, handovers });
    expect(read).toThrow(expect.objectContaining({ code: "handover_refused" }));
    expect(read).toThrow(said);
  });

  it("is refused where one byte of what was signed is another", () => {
    const document = handedOver(old, next) as { payload: string };
    const altered = { ...document, payload: document.payload.replace("2027-01-01", "2027-01-02") };
    expect(() => trustOf({ keys, handovers: [altered] })).toThrow(/handovers\[0\] (was altered|is none)/);
  });
});

describe("a revocation", () => {
  it("ends a key in every role from its time on, whoever may make it", () => {
    const both = [listed(old, ["rules", "tokens"]), listed(other, ["rules"])];
    for (const revocations of [[revokedBy(old, old)], [revokedBy(other, old)]]) {
      const trust = trustOf({ keys: both, revocations });
      expect(believedIds(trust, "rules", start_ms)).toEqual([old.keyId, other.keyId]);
      expect(believedIds(trust, "rules", later_ms)).toEqual([other.keyId]);
      expect(trust.keysOf("tokens", later_ms)).toEqual([]);
      expect(trust.standingOf("tokens", old.keyId, later_ms)).toBe("revoked");
    }
  });

  it("by the owner's word needs no signature, and counts for keys of plain files too", () => {
    const revoked = [{ key_id: old.keyId, at: "2027-01-02T00:00:00Z", reason: "laptop lost" }];
    expect(trustOf({ keys, revoked }).standingOf("rules", old.keyId, later_ms)).toBe("revoked");
    expect(trustOf({ revoked }).standingOf("rules", old.keyId, later_ms)).toBe("revoked");
  });

  it("by its successor leaves the successor that it names", () => {
    const trust = trustOf({
      keys,
      handovers: [handedOver(old, next)],
      revocations: [revokedBy(next, old, { successors: [next.keyId] })],
    });
    expect(believedIds(trust, "rules", later_ms)).toEqual([next.keyId]);
  });

  it("takes with it whoever a thief handed over to, whatever time he wrote into it, and who stands behind", () => {
    const handovers = [handedOver(old, thief, { at_ms: start_ms - 100 * day_ms }), handedOver(thief, last)];
    const revoked = [{ key_id: old.keyId, at: "2027-01-02T00:00:00Z", reason: "stolen" }];
    const trust = trustOf({ keys, handovers, revoked });
    expect(trust.keysOf("rules", later_ms)).toEqual([]);
    expect(trust.standingOf("rules", thief.keyId, later_ms)).toBe("unknown");
  });

  it("takes a hand-over that is later than itself, even to the key that it names", () => {
    const trust = trustOf({
      keys,
      handovers: [handedOver(old, next, { at_ms: start_ms + 2 * day_ms })],
      revoked: [{ key_id: old.keyId, at: "2027-01-02T00:00:00Z", reason: "x", successors: [next.keyId] }],
    });
    expect(trust.keysOf("rules", later_ms)).toEqual([]);
  });

  it.each([
    ["of a stranger", [revokedBy(thief, old)], /in no role of key/],
    ["of a key of another role", [revokedBy(other, old)], /in no role of key/],
    [
      "of a key that was revoked before",
      [revokedBy(next, next), revokedBy(next, old, { at_ms: later_ms })],
      /not believed/,
    ],
  ])("is refused where it is %s", (_what, revocations, said) => {
    const listedKeys = [...keys, listed(next, ["rules"]), listed(other, ["receipts"])];
    const read = () => trustOf({ keys: listedKeys, revocations });
    expect(read).toThrow(expect.objectContaining({ code: "revocation_refused" }));
    expect(read).toThrow(said);
  });
});
