import { copyFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../kit/asking.ts";
import { interlock, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

const run = async (place: Place, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await interlock(place, args, "", place.home);
  return { code, said: stdout + stderr };
};

const served = async (place: Place): Promise<void> => {
  const daemon = await startDaemon(place);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect((await daemon.stop()).code).toBe(0);
};

test("a chain goes on under another receipts key; whoever believes the old one believes it by its hand-over", async () => {
  const place = await makePlace(ruleModule(plainRule()));
  const at = (name: string): string => join(place.home, name);
  await served(place);
  copyFileSync(join(place.state, "receipts.key.pub"), at("old.pub"));
  expect((await run(place, "receipts", "rotate-key", "--out", "handover.json")).code).toBe(0);
  expect(statSync(join(place.state, "receipts.key")).mode & 0o777).toBe(0o600);
  await served(place);
  // The daemon's own chain is verified by both keys.
  expect((await run(place, "receipts", "verify")).code).toBe(0);

  const exported = await interlock(place, ["receipts", "export"]);
  const verifyBy = (...args: readonly string[]) => run(place, "receipts", "verify", "export.jsonl", ...args);
  writeFileSync(at("export.jsonl"), exported.stdout);
  expect(await verifyBy("--key", "old.pub")).toEqual({
    code: 1,
    said: expect.stringMatching(/receipt \d+: .*key/),
  });
  // Somebody else's keyring: the old key, and then the hand-over that it signed.
  const theirs = ["--keyring", "theirs.json"];
  expect((await run(place, "keys", "trust", "old.pub", "--role", "receipts", ...theirs)).code).toBe(0);
  expect((await verifyBy(...theirs)).code).toBe(1);
  expect((await run(place, "keys", "accept", "handover.json", ...theirs)).code).toBe(0);
  expect(await verifyBy(...theirs)).toMatchObject({ code: 0, said: expect.stringContaining("none edited") });
  // Revoked now, the old key's checkpoints of before stand; revoked before them, they do not.
  expect((await run(place, "keys", "revoke", "old.pub", "--reason", "rotated", ...theirs)).code).toBe(0);
  expect((await verifyBy(...theirs)).code).toBe(0);
  const early = ["--reason", "stolen", "--at", "2020-01-01"];
  expect((await run(place, "keys", "revoke", "old.pub", ...early, ...theirs)).code).toBe(0);
  expect(await verifyBy(...theirs)).toMatchObject({ code: 1, said: expect.stringContaining("revoked") });
  const none = ["--keyring", "none.json"];
  expect((await run(place, "keys", "trust", "old.pub", "--role", "rules", ...none)).code).toBe(0);
  expect(await verifyBy(...none)).toEqual({ code: 2, said: expect.stringContaining("no key of the role receipts") });
});

test("a key that is not the chain's signs nothing, and the chain is whole once its own is back", async () => {
  const [place, other] = [await makePlace(ruleModule(plainRule())), await makePlace(ruleModule(plainRule()))];
  await served(place);
  await served(other);
  const put = (from: Place, name: string, as: string): void =>
    copyFileSync(join(from.state, name), join(place.state, as));
  const files = ["receipts.key", "receipts.key.pub"] as const;
  for (const name of files) put(place, name, `${name}.kept`);
  // The private key alone, and both of its files.
  for (const changed of [files.slice(0, 1), files]) {
    for (const name of changed) put(other, name, name);
    const daemon = await startDaemon(place);
    expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
    await until("the daemon says why nothing is signed", () => daemon.stderr().includes("no checkpoint can be made"));
    expect(daemon.stderr()).toContain("receipts.key is not the key that signs this chain's checkpoints");
    expect((await daemon.stop()).code).toBe(0);
    for (const name of files) put(place, `${name}.kept`, name);
  }
  await served(place);
  const { code, said } = await run(place, "receipts", "verify", "--max-unsigned", "0");
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("none edited") });
});

test("the receipts key is not replaced under a running daemon", async () => {
  const place = await makePlace(ruleModule(plainRule()));
  const daemon = await startDaemon(place);
  expect(await run(place, "receipts", "rotate-key", "--out", "h.json")).toEqual({
    code: 3,
    said: expect.stringContaining("stop it first"),
  });
  expect((await daemon.stop()).code).toBe(0);
});
