import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateKeyPair, type PrivateKey } from "../../daemon/keys/private-key.ts";
import { writeKeyPair } from "../../daemon/keys/write-key-pair.ts";
import { signRuleSet } from "../../daemon/rulesets/sign.ts";
import { ask } from "../kit/asking.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { expectRefused } from "../kit/expect-refused.ts";
import { makePlace, type Place, signingKey } from "../kit/place.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

const version = (n: number): string => ruleModule(plainRule(), { version: n });

interface KeyFile {
  readonly key: PrivateKey;
  readonly privatePath: string;
  readonly publicPath: string;
}

const newKeyIn = async (place: Place, name: string): Promise<KeyFile> => {
  const key = generateKeyPair();
  return { key, ...(await writeKeyPair(join(place.home, name), key)) };
};

/** Signs version n of the place's rules by this key, where its daemon reads them. */
const signBy = async (place: Place, n: number, { key }: Pick<KeyFile, "key">): Promise<void> => {
  const entry = join(place.home, `r${n}.ts`);
  writeFileSync(entry, version(n));
  await signRuleSet({ entry, key, out: place.rules, now_ms: Date.now(), not_after_ms: null });
};

const keys = async (place: Place, ...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await interlock(place, ["keys", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
};

const reload = async (place: Place): Promise<readonly [number | null, string]> => {
  const { code, stdout, stderr } = await interlock(place, ["rules", "reload"]);
  return [code, stdout + stderr];
};

const keysChanged = async (place: Place): Promise<readonly unknown[]> =>
  (await receiptsOf(place)).filter(({ event }) => event === "keys_changed").map(({ detail }) => detail);

test("a key is handed over and revoked under a running daemon: its successor's rules are served, its own are not", async () => {
  const place = await makePlace(version(1));
  const old = await signingKey();
  const next = await newKeyIn(place, "next.key");
  const daemon = await startDaemon(place);

  await keys(place, "handover", "--from", old.privatePath, "--to", next.publicPath, "--role", "rules");
  await signBy(place, 2, next);
  expect(await reload(place)).toEqual([0, expect.stringMatching(/version 2, in force/)]);
  await keys(place, "revoke", old.key.keyId, "--reason", "rotated");
  await signBy(place, 3, old);
  expect(await reload(place)).toEqual([1, expect.stringContaining(`key ${old.key.keyId}, which is revoked`)]);
  // What is in force stays, and goes on judging.
  expect(await ask(place, "plain", { bad: true })).toMatchObject({ verdict: "BLOCK" });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await signBy(place, 3, next);
  expect(await reload(place)).toEqual([0, expect.stringMatching(/version 3, in force/)]);
  // An older version has a signature that holds, of a key that is believed.
  await signBy(place, 2, next);
  expect(await reload(place)).toEqual([1, expect.stringMatching(/is version 2 of kit; version 3 was served/)]);
  expect((await daemon.stop()).code).toBe(0);

  const believed = `keys: rules ${old.key.keyId} ${next.key.keyId}`;
  expect(await keysChanged(place)).toEqual([believed, `${believed}; revoked ${old.key.keyId}`]);
});

test("versions that were displaced are kept, and a start with the revoked key's one is refused", async () => {
  const place = await makePlace(version(1));
  const next = await newKeyIn(place, "next.key");
  const old = await signingKey();
  await (await startDaemon(place)).stop();
  copyFileSync(place.rules, join(place.home, "stolen.json"));
  await keys(place, "trust", next.publicPath, "--role", "rules");
  await signBy(place, 2, next);
  await (await startDaemon(place)).stop();
  const kept = readdirSync(join(place.state, "rulesets")).sort();
  expect(kept.map((name) => name.replace(/-[0-9a-f]{16}\./, "."))).toEqual([
    "kit@0000000000000001.ruleset.json",
    "kit@0000000000000002.ruleset.json",
  ]);
  expect(readFileSync(join(place.state, "rulesets", kept[0]!))).toEqual(readFileSync(join(place.home, "stolen.json")));
  await keys(place, "revoke", old.key.keyId, "--reason", "stolen");
  copyFileSync(join(place.home, "stolen.json"), place.rules);
  await expectRefused(place, 2, /is signed by key \S+, which is revoked/);
});

test("two signers are needed: one signature is refused by --check, start and reload, two are served", async () => {
  const place = await makePlace(version(1));
  const second = await newKeyIn(place, "second.key");
  await keys(place, "trust", second.publicPath, "--role", "rules");
  await keys(place, "threshold", "rules", "2");
  await expectRefused(place, 2, /has 1 of the 2 signatures of different signers/);
  const cosigned = await interlock(place, ["rules", "cosign", place.rules, "--key", second.privatePath]);
  expect(cosigned.code).toBe(0);
  const daemon = await startDaemon(place);
  await signBy(place, 2, second);
  expect(await reload(place)).toEqual([1, expect.stringContaining("has 1 of the 2 signatures")]);
  expect((await daemon.stop()).code).toBe(0);
});

test("a key whose days end soon is warned of at the start, and its rules are refused when they are over", async () => {
  const place = await makePlace(version(1));
  const { key, publicPath } = await signingKey();
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await keys(place, "trust", publicPath, "--role", "rules", "--not-after", soon);
  const daemon = await startDaemon(place);
  expect(daemon.stderr()).toMatch(
    new RegExp(`WARNING: key ${key.keyId} is trusted with rules until \\S+; hand it over`),
  );
  expect((await interlock(place, ["doctor"])).stdout).toContain("trusted keys have days left");
  await daemon.stop();
  await keys(place, "trust", publicPath, "--role", "rules", "--not-after", "2020-01-01T00:00:00Z");
  await expectRefused(place, 2, /whose days are over/);
});

test("a keyring that is damaged, that others can write, or that is gone is refused by start and reload", async () => {
  const place = await makePlace(version(1));
  const keyring = join(place.home, "keyring.json");
  const { publicPath } = await signingKey();
  await keys(place, "trust", publicPath, "--role", "rules");
  const daemon = await startDaemon(place);
  const whole = readFileSync(keyring);
  writeFileSync(keyring, whole.subarray(0, 40));
  expect(await reload(place)).toEqual([1, expect.stringContaining("it is not strict JSON")]);
  rmSync(keyring);
  expect(await reload(place)).toEqual([1, expect.stringContaining("was served with a keyring and there is none now")]);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await daemon.stop();
  await expectRefused(place, 2, /was served with a keyring and there is none now/);
  writeFileSync(keyring, whole);
  chmodSync(keyring, 0o666);
  await expectRefused(place, 2, /keyring\.json can be written by other users; chmod 644 it/);
  chmodSync(keyring, 0o644);
  expect((await (await startDaemon(place)).stop()).code).toBe(0);
});
