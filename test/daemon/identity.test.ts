import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { generateKeyPair } from "../../daemon/keys/private-key.ts";
import { type FeatureName, featureSet } from "../../wire/features.ts";
import { helloFrame, outcomeFrame, resumeFrame } from "../../wire/request-frame.ts";
import { ask } from "../kit/asking.ts";
import { interlock, type Receipt, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { eventLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { refundModule } from "../kit/refunds.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";
import { freshDatabase, freshRedis } from "../kit/services/services.ts";
import { believe, tokenOffice } from "../kit/tokens.ts";

const source = ruleModule(
  [
    plainRule(),
    rule("hang", "while (event.args.hang === true) {}"),
    rule("yes", 'return escalate("somebody decides", { by: "operator" });'),
  ].join(",\n"),
);

const placeWith = async (settings: string): Promise<Place> => makePlace(source, `unknown: allow\n${settings}`);

const features: readonly FeatureName[] = [
  "call_id",
  "details",
  "escalate",
  "escape",
  "replace_args",
  "replay",
  "resend",
];

const hello = (token: string | null, nonce = "a-nonce-of-some-length"): string =>
  helloFrame("h", { client: "kit/1.0.0", features: featureSet(features), nonce, scope: null, token });

/** What one raw connection is answered, line by line, until the daemon ends it or has said as much as was asked. */
const said = async ({ socket }: Place, frames: readonly (string | Buffer)[], answers = frames.length) => {
  const connection = await RawConnection.open(socket);
  connection.send(Buffer.concat(frames.map((frame) => Buffer.from(frame))));
  const lines: Record<string, unknown>[] = [];
  for (let at = 0; at < answers; at++) {
    lines.push(JSON.parse((await connection.line(10_000)).toString()) as Record<string, unknown>);
  }
  return { lines, connection };
};

const codesOf = (lines: readonly Record<string, unknown>[]): unknown[] =>
  lines.map(
    ({ details, error }) => (details as { code?: string } | undefined)?.code ?? (error as { code?: string })?.code,
  );

const decisionsOf = async (place: Place): Promise<readonly Receipt[]> =>
  (await receiptsOf(place)).filter(({ kind }) => kind === "decision");

describe("a daemon that asks for tokens", () => {
  test("a token that was issued binds its connection: unnamed calls are its principal's, others have to be below", async () => {
    const place = await placeWith("principals: token\n");
    const { keyPath } = await tokenOffice(place);
    const early = await interlock(place, ["token", "issue", "--principal", "acme/pay", "--key", keyPath]);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("names no daemon yet: start it once")]);
    const daemon = await startDaemon(place);
    const out = join(place.home, "agent.token");
    const issued = await interlock(place, [
      "token",
      "issue",
      "--principal",
      "acme/pay",
      "--key",
      keyPath,
      "--out",
      out,
    ]);
    expect([issued.code, issued.stdout]).toEqual([
      0,
      expect.stringMatching(/^wrote \S+: acme\/pay at chain:[0-9a-f]{32} until /),
    ]);
    const other = join(place.home, "other.key");
    await interlock(place, ["keygen", other]);
    const byAnybody = ["token", "issue", "--principal", "acme/pay", "--key", other];
    const unbelieved = await interlock(place, byAnybody);
    expect([unbelieved.code, unbelieved.stdout]).toEqual([2, ""]);
    expect(unbelieved.stderr).toMatch(
      /^interlock: key \S{16} is not believed with tokens here, so that this daemon would refuse/,
    );
    expect((await interlock(place, [...byAnybody, "--audience", "elsewhere"])).code).toBe(0);
    const inspected = await interlock(place, ["token", "inspect", out]);
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining("it would be taken")]);

    const nobody = await ask(place, "plain", {}, { tokenFile: out });
    const below = await ask(place, "plain", {}, { tokenFile: out, principal: "acme/pay/agent42" });
    const above = await ask(place, "plain", {}, { tokenFile: out, principal: "acme" });
    const beside = await ask(place, "plain", {}, { tokenFile: out, principal: "acme/payroll" });
    expect([nobody, below, above, beside].map(({ code }) => code)).toEqual([
      "allowed",
      "allowed",
      "principal_forged",
      "principal_forged",
    ]);
    const without = await ask(place, "plain", {}, { principal: "acme/pay" });
    expect([without.verdict, without.code]).toEqual(["BLOCK", "token_required"]);
    const v1 = await said(place, [eventLineV1("v1", "plain")]);
    expect(v1.lines).toMatchObject([{ verdict: 1, reason: expect.stringContaining("shows a token in the hello") }]);

    expect(await decisionsOf(place)).toMatchObject([
      {
        principal: "acme/pay",
        principal_source: "token",
        identity: "acme/pay",
        trace: expect.arrayContaining(["identity:ALLOW"]),
      },
      { principal: "acme/pay/agent42", principal_source: "token", identity: "acme/pay" },
      {
        principal: "acme",
        principal_source: "claimed",
        identity: "acme/pay",
        trace: ["identity:DENY"],
        code: "principal_forged",
      },
      { principal: "acme/payroll", principal_source: "claimed", identity: "acme/pay", code: "principal_forged" },
      { principal: "acme/pay", principal_source: "claimed", identity: null, code: "token_required" },
      { principal: null, principal_source: "claimed", identity: null, code: "token_required" },
    ]);
    await daemon.stop();
  });

  test("a bad token is refused by its own code, the connection ends, and nothing behind the hello is judged", async () => {
    const place = await placeWith("principals: token\nclock_skew_s: 0\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const now_s = Math.floor(Date.now() / 1000);
    const good = office.token("acme");
    const once = office.token("acme", { once: true });
    const cases: readonly (readonly [code: string, token: string])[] = [
      ["token_malformed", "not-a-token"],
      ["token_unknown_key", office.token("acme", {}, generateKeyPair())],
      [
        "token_bad_signature",
        `${good.slice(0, -6)}${good.endsWith("AAAAAA") ? "BBBBBA" : "AAAAAA"}`.replace(/A$/, good.at(-1) as string),
      ],
      ["token_other_audience", office.token("acme", { aud: "chain:00000000000000000000000000000000" })],
      ["token_not_yet_valid", office.token("acme", { nbf: now_s + 600 })],
      ["token_expired", office.token("acme", { iat: now_s - 600, nbf: now_s - 600, exp: now_s - 1 })],
    ];
    for (const [code, token] of cases) {
      const { lines, connection } = await said(place, [hello(token), eventLine("e", "plain", {})], 1);
      expect([code, codesOf(lines)]).toEqual([code, [code]]);
      await connection.closed(5_000);
      const client = await ask(place, "plain", {}, { token });
      expect(client.reason).toContain(`guard daemon refused the request (${code})`);
      expect([client.verdict, client.reason.includes(token)]).toEqual(["BLOCK", false]);
    }
    expect(await decisionsOf(place)).toEqual([]);

    // Single use: one connection, and no other, nor after a restart.
    expect(codesOf((await said(place, [hello(once), eventLine("e", "plain", {})])).lines)).toEqual([
      undefined,
      "allowed",
    ]);
    expect(codesOf((await said(place, [hello(once)])).lines)).toEqual(["token_used"]);
    await daemon.stop();
    const again = await startDaemon(place);
    expect(codesOf((await said(place, [hello(once)])).lines)).toEqual(["token_used"]);
    expect(codesOf((await said(place, [hello(good), eventLine("e", "plain", {})])).lines)).toEqual([
      undefined,
      "allowed",
    ]);
    await again.stop();
  });

  test("a token that runs out under way is worth nothing from then on; the next connection shows the next one", async () => {
    const place = await placeWith("principals: token\nclock_skew_s: 0\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const short = (): string => office.token("acme", { exp: Math.floor(Date.now() / 1000) + 2 });
    const { connection, lines } = await said(place, [hello(short()), eventLine("1", "plain", {})]);
    expect(codesOf(lines)).toEqual([undefined, "allowed"]);
    const out = join(place.home, "agent.token");
    writeFileSync(out, short());
    const { RemoteEngine } = await import("../../client-node/index.ts");
    const engine = new RemoteEngine(place.socket, { tokenFile: out, timeout: 10 });
    expect((await ask(engine, "plain", {})).code).toBe("allowed");
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    connection.send(eventLine("2", "plain", {}));
    expect(JSON.parse((await connection.line(10_000)).toString())).toMatchObject({
      verdict: 1,
      details: { code: "token_expired" },
    });
    expect((await ask(engine, "plain", {})).reason).toContain("(token_expired)");
    writeFileSync(out, office.token("acme"));
    expect((await ask(engine, "plain", {})).code).toBe("allowed");
    await engine.close();
    await daemon.stop();
  });

  test("a key that is revoked takes its tokens with it, also those of connections that are open", async () => {
    const place = await placeWith("principals: token\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const { connection } = await said(place, [hello(office.token("acme")), eventLine("1", "plain", {})]);
    await believe(place, office.key, true);
    expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
    connection.send(eventLine("2", "plain", {}));
    expect(JSON.parse((await connection.line(10_000)).toString())).toMatchObject({
      verdict: 1,
      details: { code: "token_key_revoked" },
    });
    expect(codesOf((await said(place, [hello(office.token("acme"))])).lines)).toEqual(["token_key_revoked"]);
    await daemon.stop();
  });

  test("what was answered to one is given to no other who has its nonce and its question", async () => {
    const place = await placeWith("principals: token\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const question = eventLine("1", "plain", { bad: true });
    const asking = async (token: string) => (await said(place, [hello(token), question])).lines.at(-1);
    const first = await asking(office.token("acme/a"));
    expect(await asking(office.token("acme/a"))).toEqual(first);
    expect(codesOf([(await asking(office.token("acme/b"))) ?? {}])).toEqual(["rule_blocked"]);
    const principals = (await decisionsOf(place)).map(({ principal }) => principal);
    // Asked three times, decided twice: the second was the same question of the same identity.
    expect(principals).toEqual(["acme/a", "acme/b"]);
    await daemon.stop();
  });

  test("an approval and an outcome are their own call's: nobody beside it resumes it or ends it", async () => {
    const place = await placeWith("principals: token\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const [a, b, both] = ["acme/a", "acme/b", "acme"].map((principal) => office.token(principal)) as [
      string,
      string,
      string,
    ];
    const asked = (
      await said(place, [hello(a, "nonce-of-a-0123456789"), eventLine("1", "yes", {}, { call_id: "c" })])
    ).lines.at(-1);
    const { approval_id } = (asked as { details: { approval_id: string } }).details;
    const resumed = async (token: string, nonce: string) =>
      codesOf(
        (await said(place, [hello(token, nonce), resumeFrame("2", { approval_id, call_id: "c", action: "yes" })]))
          .lines,
      )[1];
    expect(await resumed(b, "nonce-of-b-0123456789")).toBe("approval_missing");
    expect(await resumed(a, "nonce-of-a-again-0123")).toBe("approval_pending");
    expect(await resumed(both, "nonce-of-both-0123456")).toBe("approval_pending");
    const outcome = outcomeFrame("3", { call_id: "c", status: "abandoned", error_type: null });
    expect(codesOf((await said(place, [hello(b, "nonce-of-b-0123456789"), outcome])).lines)[1]).toBe(
      "outcome_unmatched",
    );
    await daemon.stop();
  });

  test("names below his own are no budgets of their own, and no way around a policy about him", async () => {
    const place = await makePlace(
      refundModule({
        policies: `
          { id: "few", tools: ["balance"], limit: { count: "calls", max: 2, window_s: 3600, per: ["principal"] } },
          { id: "none", tools: ["refund"], who: { principals: ["acme/b"] }, then: "deny" },`,
      }),
      "unknown: allow\nprincipals: token\n",
    );
    const daemon = await startDaemon(place);
    const office = await tokenOffice(place);
    expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
    const balance = (id: string, principal: string) => eventLine(id, "balance", { customer_id: "c1" }, { principal });
    const names = ["acme/a", "acme/a/1", "acme/a/2", "acme/a/3/4"];
    const { lines } = await said(place, [
      hello(office.token("acme/a")),
      ...names.map((name, at) => balance(String(at), name)),
    ]);
    expect(codesOf(lines).slice(1)).toEqual(["allowed", "allowed", "limit_exceeded", "limit_exceeded"]);
    const refund = { order_id: "o1", customer_id: "c1", amount: 5 };
    const others = await said(place, [
      hello(office.token("acme/b"), "a-nonce-of-another-one"),
      balance("1", "acme/b/1"),
      eventLine("2", "refund", refund, { principal: "acme/b/1" }),
    ]);
    expect(codesOf(others.lines).slice(1)).toEqual(["allowed", "policy_denied"]);
    await daemon.stop();
  });

  test("the block of a call that ended the engine names who is bound", async () => {
    const place = await placeWith("principals: token\n");
    const office = await tokenOffice(place);
    const daemon = await startDaemon(place);
    const hung = await ask(place, "hang", { hang: true }, { token: office.token("acme/a") });
    expect(hung.code).toBe("rule_overran");
    const receipts = (await decisionsOf(place)).filter(({ code }) => code === "rule_overran");
    expect(receipts).toMatchObject([{ principal: "acme/a", principal_source: "token", identity: "acme/a" }]);
    await daemon.stop();
  });
});

const eventLineV1 = (id: string, action: string, principal: string | null = null): string =>
  `${JSON.stringify({ event: { action, args: {}, phase: "call", ...(principal === null ? {} : { principal }) }, id, v: 1 })}\n`;

describe("a configured principal", () => {
  const acts = async (place: Place, principal: string | null) =>
    (await said(place, [eventLineV1("1", "plain", principal)])).lines[0]?.verdict;

  test("acts for whoever says nothing, and nobody names another beside it", async () => {
    const place = await placeWith("principals: token\nprincipal: acme/app\n");
    const daemon = await startDaemon(place);
    expect([await acts(place, null), await acts(place, "acme/app/x"), await acts(place, "acme/other")]).toEqual([
      0, 0, 1,
    ]);
    expect(await decisionsOf(place)).toMatchObject([
      { principal: "acme/app", principal_source: "configured", identity: "acme/app" },
      { principal: "acme/app/x", principal_source: "configured", identity: "acme/app" },
      { principal: "acme/other", principal_source: "claimed", identity: "acme/app", code: "principal_forged" },
    ]);
    await daemon.stop();
  });

  test("and where the configuration leaves it to the event, a name is a claim", async () => {
    const place = await placeWith("principal: acme/app\n");
    const daemon = await startDaemon(place);
    expect([await acts(place, null), await acts(place, "bob")]).toEqual([0, 0]);
    expect(await decisionsOf(place)).toMatchObject([
      { principal: "acme/app", principal_source: "configured", trace: expect.arrayContaining(["identity:ALLOW"]) },
      {
        principal: "bob",
        principal_source: "claimed",
        identity: null,
        trace: expect.arrayContaining(["identity:SKIP"]),
      },
    ]);
    await daemon.stop();
  });
});

const redisAlone = async (): Promise<string> => {
  const { url, prefix } = await freshRedis();
  return `coordination: ${JSON.stringify(`${url}?prefix=${prefix}`)}\n`;
};

test.each([
  ["PostgreSQL", async () => `store: ${JSON.stringify(await freshDatabase())}\n`],
  ["Redis", redisAlone],
])("daemons of one %s take the same tokens, and a single-use one once", async (_name, sharing) => {
  const settings = `principals: token\n${await sharing()}`;
  const [one, two] = [await placeWith(settings), await placeWith(settings)];
  const { keyPath, key } = await tokenOffice(one);
  await believe(two, key);
  const first = await startDaemon(one);
  writeFileSync(join(two.home, "deployment.key"), readFileSync(join(one.home, "deployment.key")), { mode: 0o600 });
  const second = await startDaemon(two);
  const issued = await interlock(one, ["token", "issue", "--principal", "acme", "--once", "--key", keyPath]);
  const token = issued.stdout.trim();
  expect((await interlock(two, ["token", "inspect"], token)).stdout).toContain("it would be taken");
  expect((await ask(one, "plain", {}, { token })).code).toBe("allowed");
  expect((await ask(two, "plain", {}, { token })).reason).toContain("(token_used)");
  await Promise.all([first.stop(), second.stop()]);
  await until("both have ended", async () => !first.isAlive() && !second.isAlive(), 5_000);
});
