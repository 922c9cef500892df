import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeText } from "../../wire/utc-time.ts";
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

describe("any keyring of hand-overs and revocations", () => {
  const ring = Array.from({ length: 6 }, generateKeyPair);
  const index = fc.nat({ max: ring.length - 1 });
  const at = fc.nat({ max: 2 });
  /** One in ten is signed by another key than the old one. */
  const handover = fc
    .record({ from: index, to: index, at, forged: fc.nat({ max: 9 }).map((n) => n === 0) })
    .map(({ forged, ...one }) => ({ ...one, by: forged ? (one.from + 1) % ring.length : one.from }));
  const revocation = fc.record({ key: index, at, successors: fc.uniqueArray(index, { maxLength: 2 }) });
  const shape = fc.record({
    roots: fc.uniqueArray(index, { minLength: 1, maxLength: 2 }),
    handovers: fc.array(handover, { maxLength: 4 }),
    revoked: fc.array(revocation, { maxLength: 3 }),
  });
  /** Signing takes milliseconds, and the same documents come again. */
  const documents = new Map<string, ReturnType<typeof handedOver>>();
  const documentOf = (one: {
    readonly from: number;
    readonly to: number;
    readonly by: number;
    readonly at: number;
  }) => {
    const name = [one.from, one.to, one.by, one.at].join(" ");
    const made =
      documents.get(name) ?? handedOver(ring[one.from]!, ring[one.to]!, { by: ring[one.by]!, at_ms: timeOf(one.at) });
    documents.set(name, made);
    return made;
  };
  const timeOf = (day: number): number => start_ms + day * day_ms;
  const idOf = (number: number): string => ring[number]!.keyId;

  it("is refused, or believes exactly the keys that a row of true hand-overs leads to, none of them revoked or disowned", () => {
    let accepted = 0;
    fc.assert(
      fc.property(shape, ({ roots, handovers, revoked }) => {
        const read = () =>
          trustOf({
            keys: roots.map((root) => listed(ring[root]!, ["rules"])),
            handovers: handovers.map(documentOf),
            revoked: revoked.map((one) => ({
              key_id: idOf(one.key),
              at: timeText(timeOf(one.at)),
              reason: "x",
              successors: one.successors.map(idOf),
            })),
          });
        // Written down anew, one key at a time: what must hold for a key to be believed on the last day.
        const of = (key: number) => revoked.filter((one) => one.key === key);
        const isOwned = (key: number, seen: readonly number[] = []): boolean =>
          roots.includes(key) ||
          handovers.some(
            (one) =>
              one.to === key &&
              one.by === one.from &&
              !seen.includes(one.from) &&
              of(one.from).every((revocation) => revocation.successors.includes(key) && one.at <= revocation.at) &&
              isOwned(one.from, [...seen, key]),
          );
        let trust: ReturnType<typeof read>;
        try {
          trust = read();
        } catch (error) {
          expect(error).toMatchObject({ name: "KeyRefused", code: "handover_refused" });
          return;
        }
        accepted += 1;
        const expected = ring.map((_key, number) => number).filter((key) => isOwned(key) && of(key).length === 0);
        expect(new Set(believedIds(trust, "rules", timeOf(9)))).toEqual(new Set(expected.map(idOf)));
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(60);
  });
});
