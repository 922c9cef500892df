import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { RemoteEngine } from "../../client-node/index.ts";
import { prelude, printed, saidBy } from "../../client-node/intercept/exec/testing/guarded-program.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import type { ScopeSource } from "../../daemon/scopes/schema.ts";
import { ask } from "../kit/asking.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { eventLine, helloLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";
import { type ScopeOffice, scopeOffice } from "../kit/scopes.ts";

/** Everything that a guarded Node program does of itself is silent here, and allowed. */
const rules = ruleModule(
  [
    plainRule(),
    rule("hangs", "for (;;) {}"),
    rule("slow", `await context.lookup("later", "k"); return undefined;`, { async: true }),
  ].join(),
  { more: "resolvers: { later: () => new Promise((resolve) => setTimeout(resolve, 1500)) }, deadline_ms: 5000," },
);

const document = parse(`
id: acme
version: 1
templates:
  never:
    policy: { tools: [never], then: deny }
scopes: { acme: [{ template: never }] }
`) as ScopeSource;

let place: Place;
let office: ScopeOffice;
let daemon: Daemon;
let version = 0;

/** Another document is served from now on. Resolves to its pin. */
const serveNext = async (): Promise<string> => {
  const pin = await office.put({ ...document, version: ++version });
  const { code, stderr } = await interlock(place, ["rules", "reload"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return pin;
};

beforeAll(async () => {
  place = await makePlace(rules);
  office = await scopeOffice(place);
  await office.put({ ...document, version: ++version });
  daemon = await startDaemon(place);
});
afterAll(async () => {
  await daemon?.stop();
});

const mismatch = { verdict: "BLOCK", reason: expect.stringContaining("(scope_mismatch)") };
const principal = "acme";

/** The document as it is served now, kept by a client. */
const keep = async (name: string): Promise<string> => {
  const path = join(place.home, name);
  await copyFile(office.path, path);
  return path;
};

describe("a client that pins the document that is served", () => {
  test("is answered, until another one is served; then each of its calls is blocked, on the same connection", async () => {
    const scopeFile = await keep("mine.json");
    const engine = new RemoteEngine(place.socket, { principal, scopeFile, scopeKeyFile: office.publicPath });
    expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "ALLOW" });
    const connections = engine.stats.connections;
    await serveNext();
    const blocked = await ask(engine, "plain", {});
    expect(blocked).toMatchObject(mismatch);
    expect(await ask(engine, "plain", {})).toMatchObject(mismatch);
    expect(engine.stats.connections).toBe(connections);
    // Whoever pins nothing, or what is served now, is answered.
    expect(await ask(place, "plain", {}, { principal })).toMatchObject({ verdict: "ALLOW" });
    const scope = await serveNext();
    expect(await ask(place, "plain", {}, { principal, scope })).toMatchObject({ verdict: "ALLOW" });
    await engine.close();
    await until("the log is whole", async () => (await interlock(place, ["receipts", "verify"])).code === 0);
    const receipt = (await receiptsOf(place)).find(({ call_id }) => call_id === blocked.call_id);
    expect(receipt).toMatchObject({ verdict: "BLOCK", code: "scope_mismatch", scope: null, trace: [] });
  });

  test("is given no answer again that another document allowed", async () => {
    const pin = await serveNext();
    const nonce = "nonce-of-a-client-that-pins";
    const line = eventLine("once", "plain", {}, { principal });
    const put = async (): Promise<Record<string, unknown>> => {
      const connection = await RawConnection.open(place.socket, 5_000);
      connection.send(helloLine(nonce, ["call_id", "details", "resend", "scope"], pin));
      await connection.line(5_000);
      connection.send(line);
      const answer = JSON.parse((await connection.line(5_000)).toString()) as Record<string, unknown>;
      connection.drop();
      return answer;
    };
    expect(await put()).toMatchObject({ verdict: 0 });
    expect(await put()).toMatchObject({ verdict: 0 });
    await serveNext();
    expect(await put()).toMatchObject({ error: { code: "scope_mismatch" }, id: "once" });
  });

  test("is compared with what judges its call: one that began before a reload ends as it began", async () => {
    const scope = await serveNext();
    const slow = ask(place, "slow", {}, { principal, scope });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await serveNext();
    expect(await slow).toMatchObject({ verdict: "ALLOW" });
    expect(await ask(place, "slow", {}, { principal, scope })).toMatchObject(mismatch);
  });

  test("is held to it after the engine has been restarted, too", async () => {
    const scope = await serveNext();
    expect(await ask(place, "hangs", {}, { principal, scope })).toMatchObject({
      verdict: "BLOCK",
      code: "rule_overran",
    });
    expect(await ask(place, "plain", {}, { principal, scope })).toMatchObject({ verdict: "ALLOW" });
    const other = `sha256:${"0".repeat(64)}`;
    expect(await ask(place, "plain", {}, { principal, scope: other })).toMatchObject(mismatch);
  });
});

test("a guarded process is held to its pin, and so are its children", async () => {
  const pin = await serveNext();
  const program = `${prelude}
now("own", () => execFileSync(process.execPath, ["--version"]).length > 0);
require("node:fs").writeFileSync("scoped.cjs", "console.log(process.env.INTERLOCK_SCOPE)");
now("child", () => text(execFileSync(process.execPath, ["scoped.cjs"], { env: {} })));
${printed}`;
  const env = { INTERLOCK_PRINCIPAL: principal };
  expect(await saidBy(place, program, { env: { ...env, INTERLOCK_SCOPE: pin } })).toEqual({ own: true, child: pin });
  const other = `sha256:${"0".repeat(64)}`;
  await expect(saidBy(place, program, { env: { ...env, INTERLOCK_SCOPE: other } })).rejects.toThrow(
    /scope_mismatch|BlockedError/,
  );
  await expect(saidBy(place, program, { env: { ...env, INTERLOCK_SCOPE: "mine" } })).rejects.toThrow(
    "INTERLOCK_SCOPE is sha256: and 64 hex digits",
  );
});

test("a daemon that serves no document blocks whoever pins one, and nobody else", async () => {
  const bare = await makePlace(ruleModule(plainRule()));
  const without = await startDaemon(bare);
  const scope = `sha256:${"0".repeat(64)}`;
  expect(await ask(bare, "plain", {}, { scope })).toMatchObject(mismatch);
  expect(await ask(bare, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  await without.stop();
});

test("a document whose day comes while the engine is restarted goes on blocking: nobody is let through by its end", async () => {
  const end_ms = Math.ceil((Date.now() + 2_000) / 1000) * 1000;
  await office.put({ ...document, version: ++version, not_after: `${new Date(end_ms).toISOString().slice(0, 19)}Z` });
  expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
  const hangs = ask(place, "hangs", { again: true }, { principal, timeout: 20 });
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, end_ms - Date.now()) + 100));
  await hangs;
  expect(await ask(place, "hangs", { again: "after" }, { principal, timeout: 20 })).toMatchObject({
    code: "scope_expired",
  });
});
