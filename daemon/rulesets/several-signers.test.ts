import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timeText } from "../../wire/utc-time.ts";
import { day_ms, handedOver, listed, trustOf } from "../keys/keyring.testkit.ts";
import { generateKeyPair, type PrivateKey } from "../keys/private-key.ts";
import { cosignRuleSet } from "./cosign.ts";
import { RuleSetRefused } from "./refusal.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { changed, now_ms, openWorkshop, sourceOf, type Workshop } from "./testing.ts";
import { verifyRuleSet } from "./verify.ts";

const [first, second, third, stranger] = Array.from({ length: 4 }, generateKeyPair) as [
  PrivateKey,
  PrivateKey,
  PrivateKey,
  PrivateKey,
];
const keys = [first, second].map((key) => listed(key, ["rules"]));
const two = trustOf({ keys, thresholds: { rules: 2 } });
let workshop: Workshop;
let single: RuleSetFile;
let both: RuleSetFile;
const cosigned = async (file: RuleSetFile, key: PrivateKey): Promise<RuleSetFile> => {
  await cosignRuleSet(file, key, now_ms);
  return { path: file.path, bytes: await readFile(file.path) };
};
beforeAll(async () => {
  workshop = await openWorkshop();
  single = await workshop.sign(sourceOf(), first);
  both = await cosigned({ path: `${workshop.folder}/both.json`, bytes: single.bytes }, second);
});
afterAll(() => workshop.close());

const codeOf = (file: RuleSetFile, trust = two, at_ms = now_ms): string => {
  try {
    verifyRuleSet(file, trust, at_ms);
    return "verified";
  } catch (error) {
    if (!(error instanceof RuleSetRefused)) throw error;
    expect(error.message).toMatch(/^rule set \S+ [^\n]+$/);
    return error.code;
  }
};

describe("a rule set that needs two signers", () => {
  it("is served with the signatures of two, and says whose they are", () => {
    expect(verifyRuleSet(both, two, now_ms).keyIds).toEqual([first.keyId, second.keyId]);
  });

  it("has the digest that it has with one: what is signed is the same", () => {
    const one = trustOf({ keys });
    expect(verifyRuleSet(both, two, now_ms).digest).toBe(verifyRuleSet(single, one, now_ms).digest);
  });

  it("is refused with one, and told how many of how many", () => {
    expect(codeOf(single)).toBe("too_few_signatures");
    expect(() => verifyRuleSet(single, two, now_ms)).toThrow(/has 1 of the 2 signatures/);
  });

  it("is refused with one and a stranger's, and with one whose key was handed over to another", async () => {
    expect(codeOf(await cosigned(await workshop.sign(sourceOf(), first), stranger))).toBe("too_few_signatures");
    const successor = await cosigned(await workshop.sign(sourceOf(), first), third);
    const rotated = trustOf({
      keys,
      thresholds: { rules: 2 },
      handovers: [handedOver(first, third, { at_ms: now_ms - day_ms })],
    });
    expect(codeOf(successor, rotated)).toBe("too_few_signatures");
    expect(codeOf(await cosigned(successor, second), rotated)).toBe("verified");
  });

  it("is refused where one of them does not hold, is doubled, or is no signature", () => {
    const edit = (change: (list: { key_id: string; signature: string }[]) => unknown) =>
      changed(both, (value) => {
        value.signatures = change(value.signatures as { key_id: string; signature: string }[]);
      });
    expect(codeOf(edit(([a, b]) => [a, { ...b, signature: a!.signature }]))).toBe("bad_signature");
    expect(codeOf(edit(([a]) => [a, a]))).toBe("malformed");
    expect(codeOf(edit(([a, b]) => [a, { ...b, by: "me" }]))).toBe("malformed");
    expect(codeOf(edit(([a, b]) => [a, { ...b, signature: "AAAA" }]))).toBe("malformed");
    expect(codeOf(edit(([a]) => Array(17).fill(a)))).toBe("malformed");
    expect(codeOf(edit(() => []))).toBe("malformed");
    expect(codeOf(edit(() => "both"))).toBe("malformed");
  });

  it("has one signature or a list of them, never both", () => {
    const mixed = changed(both, (value) => {
      value.signature = (value.signatures as { signature: string }[])[0]!.signature;
      value.key_id = first.keyId;
    });
    expect(codeOf(mixed)).toBe("malformed");
  });
});

describe("a rule set whose key is not believed any more", () => {
  const revoked = [{ key_id: first.keyId, at: timeText(now_ms - day_ms), reason: "lost" }];

  it("is refused where the key was revoked, whenever it signed", () => {
    expect(codeOf(single, trustOf({ keys, revoked }))).toBe("key_revoked");
  });

  it("is refused outside of the key's days", () => {
    const days = { not_before_ms: now_ms, not_after_ms: now_ms + day_ms };
    const trust = trustOf({ keys: [listed(first, ["rules"], days)] });
    expect(codeOf(single, trust, now_ms)).toBe("verified");
    expect(codeOf(single, trust, now_ms - 1)).toBe("key_out_of_days");
    expect(codeOf(single, trust, now_ms + day_ms)).toBe("key_out_of_days");
  });

  it("is refused where the key is believed in another role", () => {
    expect(codeOf(single, trustOf({ keys: [listed(first, ["tokens", "receipts"])] }))).toBe("wrong_key");
  });

  it("is served where its successor signed beside it, or in its place", async () => {
    const rotated = trustOf({
      keys,
      handovers: [handedOver(first, third, { at_ms: now_ms - 2 * day_ms })],
      revoked: revoked.map((one) => ({ ...one, successors: [third.keyId] })),
    });
    expect(codeOf(await cosigned(await workshop.sign(sourceOf(), first), third), rotated)).toBe("verified");
    expect(codeOf(await workshop.sign(sourceOf(), third), rotated)).toBe("verified");
    expect(codeOf(single, rotated)).toBe("key_revoked");
  });
});

describe("cosigning", () => {
  it("takes nothing that a daemon would refuse, and leaves the file as it was", async () => {
    const altered = changed(await workshop.sign(sourceOf(), first), (value) => {
      value.bundle = `${String(value.bundle)};`;
    });
    const before = await readFile(altered.path);
    await expect(cosignRuleSet(altered, second, now_ms)).rejects.toMatchObject({ code: "altered" });
    const ended = await workshop.sign(sourceOf(), first, { not_after_ms: now_ms + 1_000 });
    await expect(cosignRuleSet(ended, second, now_ms + 2_000)).rejects.toMatchObject({ code: "expired" });
    expect(await readFile(altered.path)).toEqual(before);
  });

  it("puts a key's new signature in the place of its old one", async () => {
    const again = await cosigned(await cosigned(both, first), second);
    expect(verifyRuleSet(again, two, now_ms).keyIds).toEqual([first.keyId, second.keyId]);
  });
});
