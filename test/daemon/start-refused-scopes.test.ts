import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { generateKeyPair } from "../../daemon/keys/private-key.ts";
import type { ScopeSource } from "../../daemon/scopes/schema.ts";
import { ask } from "../kit/asking.ts";
import { runDaemon, startDaemon } from "../kit/daemon.ts";
import { expectRefused } from "../kit/expect-refused.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";
import { type ScopeOffice, scopeOffice } from "../kit/scopes.ts";
import { freshDatabase } from "../kit/services/services.ts";

const document = parse(`
id: acme
version: 1
templates:
  ceiling:
    params: { max: { type: number } }
    policy: { tools: [refund], when: { amount: { gt: { param: max } } }, then: deny }
scopes: { acme: [{ template: ceiling, params: { max: 100 } }] }
`) as ScopeSource;

const source = (version: number, changes: Partial<ScopeSource> = {}): ScopeSource => ({
  ...document,
  version,
  ...changes,
});

const placed = async (settings?: string): Promise<readonly [Place, ScopeOffice]> => {
  const place = await makePlace(ruleModule(plainRule()), settings);
  return [place, await scopeOffice(place)];
};

test("a scope document that is not there is refused", async () => {
  const [place] = await placed();
  await expectRefused(place, 2, /scope document \S+scopes\.signed\.json cannot be read \(ENOENT\)/);
});

test("one that nobody signed is refused", async () => {
  const [place, office] = await placed();
  await writeFile(office.path, JSON.stringify(source(1)));
  await expectRefused(
    place,
    2,
    /scopes document \S+: signed document refused: it is not an object of document, payload/,
  );
});

test("one that was altered is refused", async () => {
  const [place, office] = await placed();
  await office.put(source(1));
  const text = await readFile(office.path, "utf8");
  await writeFile(office.path, text.replace(String.raw`\"max\":100`, String.raw`\"max\":999`));
  await expectRefused(place, 2, /signature/);
});

test("one that a key of no such role signed is refused", async () => {
  const [place, office] = await placed();
  await office.put(source(1), generateKeyPair());
  await expectRefused(place, 2, /not trusted/);
});

test("one that has expired is refused", async () => {
  const [place, office] = await placed();
  await office.put(source(1, { not_after: "2020-01-01T00:00:00Z" }));
  await expectRefused(place, 2, /expired at 2020-01-01T00:00:00Z; sign a newer one/);
});

test("one that grants more than its parent is refused, however well it is signed", async () => {
  const [place, office] = await placed();
  const scopes: ScopeSource["scopes"] = {
    acme: [{ template: "ceiling", params: { max: 100 } }],
    "acme/pay": [{ template: "ceiling", params: { max: 101 }, delegated_from: "acme" }],
  };
  await office.put(source(1, { scopes }));
  await expectRefused(place, 2, /101 here and 100 at acme, where a larger one grants more \(delegation_over_grant\)/);
});

test("one with an unknown template is refused", async () => {
  const [place, office] = await placed();
  await office.put(source(1, { scopes: { acme: [{ template: "cieling", params: { max: 1 } }] } }));
  await expectRefused(place, 2, /scopes\.acme\.0\.template: .*\(template_unknown\)/);
});

test("one that is older than what was served is refused at the next start, and one of another id is not held to it", async () => {
  const [place, office] = await placed();
  await office.put(source(2));
  await (await startDaemon(place)).stop();
  await office.put(source(1));
  await expectRefused(place, 2, /is version 1 of acme; version 2 was served; sign a newer one/);
  await office.put(source(1, { id: "globex" }));
  await (await startDaemon(place)).stop();
});

test("on PostgreSQL, too, what was served is remembered in the store", async () => {
  const [place, office] = await placed(`unknown: allow\nstore: ${await freshDatabase()}\n`);
  await office.put(source(2));
  const daemon = await startDaemon(place);
  expect(await ask(place, "refund", { amount: 101 }, { principal: "acme" })).toMatchObject({
    policy_id: "scope:ceiling",
  });
  await daemon.stop();
  await office.put(source(1));
  await expectRefused(place, 2, /is version 1 of acme; version 2 was served; sign a newer one/);
});

test("--check verifies it, and --scope-document beats the configuration", async () => {
  const [place, office] = await placed();
  await office.put(source(7));
  expect((await runDaemon(place, ["--check"])).stderr).toMatch(/; scope document acme 7\n$/);
  const refused = await runDaemon(place, ["--check", "--scope-document", "/nowhere.json"]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("scope document /nowhere.json cannot be read (ENOENT)");
});
