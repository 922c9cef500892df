import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { Connection } from "../../daemon/store/postgres/connection.ts";
import { migrateDown } from "../../daemon/store/postgres/migrate.ts";
import { ask, askUntil } from "../kit/asking.ts";
import { interlock, receiptsOf, runDaemon, startDaemon } from "../kit/daemon.ts";
import { makePlace } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";
import { startProxy } from "../kit/services/proxy.ts";
import { freshDatabase } from "../kit/services/services.ts";

const hangs = rule("hang", "for (;;);");
const rules = ruleModule(`${plainRule()}, ${hangs}`);
const placeOn = (address: string) => makePlace(rules, `unknown: allow\nstore: ${address}\n`);

test("an empty database is served at once; receipts are in it and in no file, and a restart continues the chain", async () => {
  const address = await freshDatabase();
  const place = await placeOn(address);
  const first = await startDaemon(place);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW", code: "allowed" });
  expect(await ask(place, "plain", { bad: true })).toMatchObject({ verdict: "BLOCK", code: "rule_blocked" });
  const { code, stderr } = await first.stop();
  expect(code).toBe(0);
  expect(stderr).toContain("durable once PostgreSQL has committed them");
  expect(stderr).not.toContain(new URL(address).password);
  const second = await startDaemon(place);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await second.stop();
  const kinds = (await receiptsOf(place)).map((receipt) => receipt.verdict ?? receipt.event);
  expect(kinds).toEqual(["started", "ALLOW", "BLOCK", "stopped", "started", "ALLOW", "stopped"]);
  expect(existsSync(join(place.state, "ledger.db"))).toBe(false);
});

test("killed under load and started again: no receipt of an answer that was given is lost, and the chain is whole", async () => {
  const place = await placeOn(await freshDatabase());
  let daemon = await startDaemon(place);
  const stop = askUntil(place);
  for (let kill = 0; kill < 3; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await daemon.kill();
    daemon = await startDaemon(place);
  }
  const told = await stop();
  await daemon.stop();
  const decided = new Set((await receiptsOf(place)).map((receipt) => receipt.call_id));
  const allowed = told.filter(({ verdict }) => verdict === "ALLOW");
  expect(allowed.length).toBeGreaterThan(20);
  expect(allowed.filter(({ call_id }) => !decided.has(call_id))).toEqual([]);
}, 60_000);

test("PostgreSQL is gone: every call is blocked with the reason, and calls go on without a restart when it is back", async () => {
  const proxy = await startProxy(await freshDatabase());
  const place = await placeOn(proxy.url);
  const daemon = await startDaemon(place);
  const engine = new RemoteEngine(place.socket, { timeout: 20 });
  expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await proxy.cut();
  for (let turn = 0; turn < 5; turn++) {
    expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "BLOCK", code: "ledger_unavailable" });
  }
  await proxy.restore();
  await until("calls are allowed again", async () => (await ask(engine, "plain", {})).verdict === "ALLOW");
  await engine.close();
  await until("the daemon has said so", () => daemon.stderr().includes("receipts are durable again"));
  expect(daemon.stderr().match(/^interlock-sidecar: store: .*$/gm)).toEqual([
    expect.stringContaining("store: a receipt could not be made durable (PostgreSQL cannot be reached"),
    "interlock-sidecar: store: receipts are durable again",
  ]);
  expect((await daemon.stop()).code).toBe(0);
  const { length } = await receiptsOf(place);
  expect(length).toBeGreaterThan(3);
});

test("the answer to a COMMIT is lost: what stands is looked up and answered, decided once, and the chain goes on behind it", async () => {
  const proxy = await startProxy(await freshDatabase());
  const place = await placeOn(proxy.url);
  const daemon = await startDaemon(place);
  const engine = new RemoteEngine(place.socket, { timeout: 20 });
  expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  const cut = proxy.cutAt("insert_receipts", "service");
  const asked = ask(engine, "plain", {});
  await cut;
  const told = await asked;
  await until("calls are allowed again", async () => (await ask(engine, "plain", {})).verdict === "ALLOW");
  await engine.close();
  await daemon.stop();
  expect(told).toMatchObject({ verdict: "ALLOW", code: "allowed" });
  const decided = (await receiptsOf(place)).filter(({ call_id }) => call_id === told.call_id);
  expect(decided).toMatchObject([{ verdict: "ALLOW" }]);
});

test("a rule that hangs ends its engine; the next one goes on with the chain, and says so in it", async () => {
  const place = await placeOn(await freshDatabase());
  const daemon = await startDaemon(place);
  expect(await ask(place, "hang", {})).toMatchObject({ verdict: "BLOCK", code: "rule_overran" });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await daemon.stop();
  const told = (await receiptsOf(place)).map((receipt) => receipt.event ?? receipt.code);
  expect(told).toEqual(["started", "rule_overran", "engine_restarted", "allowed", "stopped"]);
}, 60_000);

test("two daemons of one database have a chain each, under one deployment key", async () => {
  const address = await freshDatabase();
  const [one, other] = [await placeOn(address), await placeOn(address)];
  const first = await startDaemon(one);
  expect(await runDaemon(other)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("deployment.key is missing, and the database has a key; copy the file"),
  });
  writeFileSync(join(other.home, "deployment.key"), readFileSync(join(one.home, "deployment.key")), { mode: 0o600 });
  const second = await startDaemon(other);
  await Promise.all([ask(one, "plain", {}), ask(other, "plain", {}), ask(other, "plain", {})]);
  await Promise.all([first.stop(), second.stop()]);
  expect((await receiptsOf(one)).filter(({ kind }) => kind === "decision")).toHaveLength(1);
  expect((await receiptsOf(other)).filter(({ kind }) => kind === "decision")).toHaveLength(2);
});

test("a database with an older schema is refused with the command that brings it up", async () => {
  const address = await freshDatabase();
  const place = await placeOn(address);
  await (await startDaemon(place)).stop();
  const connection = new Connection(address);
  await connection.exclusively((session) => migrateDown(session, 1, "discard"));
  await connection.close();
  expect(await runDaemon(place)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("run interlock store migrate"),
  });
  expect(await interlock(place, ["receipts", "verify"])).toMatchObject({ code: 5 });
});

test.each([
  ["--store", ["--store", "mysql://me:secret@db/app"], "--store: must be sqlite, or postgres://user@host/database"],
  ["store", [], "interlock.yaml:6: store: names no database: postgres://user@host/database"],
])("a %s that names none is refused, and is not repeated", async (_name, args, message) => {
  const place = await makePlace(rules, `unknown: allow\n${args.length > 0 ? "" : "store: postgres://me:secret@db\n"}`);
  const refused = await runDaemon(place, args);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(refused.stderr).not.toContain("secret");
});
