import { expect, test } from "vitest";
import { openAt, temporaryState } from "../ledger/test-state.ts";
import { day_ms, listed, ringText, start_ms } from "./keyring.testkit.ts";
import { nearExpiry } from "./near-expiry.ts";
import { noteKeys, refuseLostKeyring } from "./note-keys.ts";
import { generateKeyPair, type PrivateKey } from "./private-key.ts";
import { type TrustFiles, trustFrom } from "./trust-files.ts";

const [first, second] = [generateKeyPair(), generateKeyPair()];

const pems = (...keys: readonly PrivateKey[]): TrustFiles => ({
  trust: keys.map(({ publicKey }, at) => ({
    path: `k${at}.pub`,
    text: publicKey.object.export({ format: "pem", type: "spki" }).toString(),
  })),
  keyring: null,
});
const ring = (text: string): TrustFiles => ({ trust: [], keyring: { path: "keyring.json", text } });

/** A ledger of its own, and what is noted in it when these files are believed. */
const noting = () => {
  const ledger = openAt(temporaryState());
  return async (files: TrustFiles): Promise<readonly string[]> => {
    const noted: string[] = [];
    await refuseLostKeyring(ledger, files);
    await noteKeys(ledger, files, trustFrom(files), async (line) => void noted.push(line));
    return noted;
  };
};

test("files of public keys are noted when they change, and not at the first start", async () => {
  const note = noting();
  expect(await note(pems(first))).toEqual([]);
  expect(await note(pems(first))).toEqual([]);
  expect(await note(pems(second))).toEqual([`keys: rules ${second.keyId}`]);
});

test("a keyring is noted from its first start on, whenever it says something else, and no key's bytes with it", async () => {
  const note = noting();
  const keys = [listed(first, ["rules", "tokens"])];
  const roles = `keys: rules ${first.keyId}; tokens ${first.keyId}`;
  expect(await note(ring(ringText({ keys })))).toEqual([roles]);
  // Comments and spaces change nobody that is believed.
  expect(await note(ring(ringText({ keys: [{ ...keys[0]!, comment: "ours" }] })))).toEqual([]);
  expect(await note(ring(ringText({ keys, thresholds: { rules: 1 } })))).toEqual([]);
  const days = [listed(first, ["rules", "tokens"], { not_after_ms: start_ms })];
  expect(await note(ring(ringText({ keys: days })))).toEqual([roles]);
  const revoked = [{ key_id: first.keyId, at: "2027-01-01T00:00:00Z", reason: "lost" }];
  const [line] = await note(ring(ringText({ keys, revoked, thresholds: { rules: 2 } })));
  expect(line).toBe(`${roles}; rules needs 2; revoked ${first.keyId}`);
  expect(line).not.toContain(Buffer.from(first.publicKey.raw).toString("base64"));
});

test("of many keys it names fifty, and says how many more", async () => {
  const keys = Array.from({ length: 60 }, () => listed(generateKeyPair(), ["scopes"]));
  const [line] = await noting()(ring(ringText({ keys })));
  expect(line).toMatch(/^keys: scopes( [0-9a-f]{16}){50}; and 10 more$/);
});

test("a ledger that was served with a keyring is not served without; an empty one is one", async () => {
  const note = noting();
  await note(pems(first));
  await note(ring(ringText({ keys: [listed(first, ["rules"])] })));
  await expect(note(pems(first))).rejects.toMatchObject({ code: "key_missing" });
  expect(await note(ring(ringText({})))).toEqual(["keys: none"]);
});

test("keys that end within 14 days are warned of, and neither those that end later nor those that have ended", () => {
  const ending = (days: number) => listed(generateKeyPair(), ["rules"], { not_after_ms: start_ms + days * day_ms });
  const keys = [ending(13), ending(15), ending(-1), listed(first, ["rules"])];
  const lines = nearExpiry(trustFrom(ring(ringText({ keys }))), start_ms);
  expect(lines).toEqual([expect.stringContaining(`key ${keys[0]!.key_id} is trusted with rules until 2027-01-14`)]);
});
