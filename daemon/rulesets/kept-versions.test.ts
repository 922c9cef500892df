import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { keepServed, keptVersionsIn, maxKeptVersions } from "./kept-versions.ts";
import { openWorkshop, signAnything, type Workshop } from "./testing.ts";

const key = generateKeyPair();
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const versionOf = (version: number, id = "pay") => signAnything("code", key, { id, version });

it("keeps what is served, as it was read, for its owner alone, and once", async () => {
  const state = join(workshop.folder, "one");
  await workshop.write("one/keep", "");
  const file = versionOf(7);
  for (let times = 0; times < 2; times++) await keepServed(state, [file]);
  const [name, ...more] = readdirSync(keptVersionsIn(state));
  expect([name, more]).toEqual([expect.stringMatching(/^pay@0000000000000007-[0-9a-f]{16}\.ruleset\.json$/), []]);
  const path = join(keptVersionsIn(state), name!);
  expect(readFileSync(path)).toEqual(file.bytes);
  expect([statSync(path).mode & 0o777, statSync(keptVersionsIn(state)).mode & 0o777]).toEqual([0o600, 0o700]);
});

it("keeps the newest of each set, and names a set that is no plain name by its hash", async () => {
  await workshop.write("two/keep", "");
  const state = join(workshop.folder, "two");
  for (let version = 1; version <= maxKeptVersions + 3; version++) await keepServed(state, [versionOf(version)]);
  await keepServed(state, [versionOf(1, "../../up"), versionOf(1, "pay.more")]);
  const names = readdirSync(keptVersionsIn(state)).sort();
  const pay = names.filter((name) => name.startsWith("pay@"));
  expect(pay).toHaveLength(maxKeptVersions);
  expect(pay[0]).toMatch(/^pay@0000000000000004-/);
  expect(names.filter((name) => !name.startsWith("pay@")).map((name) => name.split("@")[0])).toEqual([
    expect.stringMatching(/^id-[0-9a-f]{32}$/),
    "pay.more",
  ]);
});

it("says that it cannot, where the folder cannot be made", async () => {
  const state = await workshop.write("file", "");
  await expect(keepServed(state, [versionOf(1)])).rejects.toMatchObject({ code: "ENOTDIR" });
});
