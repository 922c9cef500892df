import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { ask } from "../kit/asking.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, putRules } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

const hangs = (id: string) => rule(id, "if (event.args.hang) for (;;); return allow();");

test("a rule that overruns three times in a minute is suspended until the rules are reloaded", async () => {
  const place = await makePlace(ruleModule(`${hangs("hangs")}, ${plainRule()}`));
  const daemon = await startDaemon(place);
  for (let n = 0; n < 3; n++) {
    expect(await ask(place, "hangs", { hang: true, n })).toMatchObject({ verdict: "BLOCK", code: "rule_overran" });
  }
  expect(await ask(place, "hangs", { n: 1 })).toMatchObject({
    verdict: "BLOCK",
    code: "rule_suspended",
    policy_id: "hangs",
  });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect(daemon.stderr()).toContain("rule hangs overran too often and is suspended");

  const mended = rule("hangs", "return allow();");
  await putRules(place, ruleModule(`${mended}, ${plainRule()}`, { version: 2 }));
  expect(await interlock(place, ["rules", "reload"])).toMatchObject({ code: 0 });
  expect(await ask(place, "hangs", { n: 1 })).toMatchObject({ verdict: "ALLOW" });
  expect(await ask(place, "hangs", { hang: true, n: 0 })).toMatchObject({ verdict: "ALLOW" });
  expect((await daemon.stop()).code).toBe(0);
  expect((await receiptsOf(place)).filter(({ event }) => event === "engine_restarted").length).toBe(3);
});

test("an engine that ends too often blocks everything, says so, and is let in again by a reload", async () => {
  const dies = Array.from({ length: 4 }, (_, n) => rule(`dies-${n}`, "process.exit(0);"));
  const place = await makePlace(ruleModule([...dies, plainRule()].join(", ")));
  const daemon = await startDaemon(place);
  for (let n = 0; n < 10; n++) {
    const answer = await ask(place, `dies-${n % 4}`, { n });
    expect(answer).toMatchObject({ verdict: "BLOCK", code: "rule_crashed" });
  }
  // One end more than is allowed in a minute: whoever asks now is not told of any rule.
  expect(await ask(place, "dies-2", { n: 10 })).toMatchObject({ verdict: "BLOCK", code: "engine_disabled" });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "BLOCK", code: "engine_disabled" });
  const status = await interlock(place, ["status"]);
  expect(status.code).toBe(1);
  expect(status.stderr + status.stdout).toContain("is disabled at");
  expect(JSON.parse((await interlock(place, ["status", "--json"])).stdout)).toMatchObject({
    ok: false,
    status: "disabled",
  });
  expect(daemon.stderr()).toContain("everything is blocked until the rules are reloaded");

  await putRules(place, ruleModule(plainRule(), { version: 2 }));
  expect(await interlock(place, ["rules", "reload"])).toMatchObject({ code: 0 });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect(await interlock(place, ["status"])).toMatchObject({ code: 0 });
  expect((await daemon.stop()).code).toBe(0);
});

test("while the engine restarts its mark stands, and nobody is let through who would be in an absence", async () => {
  // The next engine takes its time to load: only where it is not the first one.
  const place = await makePlace(
    ruleModule(`${hangs("hangs")}, ${plainRule()}`, {
      before: `import { existsSync } from "node:fs";
const slow = existsSync(process.env.HOME + "/slow") && Date.now() + 2500;
while (slow > Date.now());`,
    }),
  );
  const daemon = await startDaemon(place);
  writeFileSync(`${place.home}/slow`, "");
  const mark = `${place.socket}.restarting`;
  const v1 = await RawConnection.open(place.socket);
  v1.send(Buffer.from(`${JSON.stringify(v1Event("hangs", { hang: true }))}\n`));
  await until("the mark stands", () => existsSync(mark));
  const told: string[] = [];
  const engine = new RemoteEngine(place.socket, {
    unreachable: "allow",
    grace_ms: 200,
    timeout: 20,
    onFallback: (message) => told.push(message),
  });
  const answers = await Promise.all([
    ask(engine, "plain", { bad: true }),
    ask(engine, "hangs", { hang: true }),
    ask(engine, "plain", {}),
  ]);
  expect(answers.map(({ verdict }) => verdict)).toEqual(["BLOCK", "BLOCK", "ALLOW"]);
  expect(answers.map(({ code }) => code)).toEqual(["rule_blocked", "request_overran", "allowed"]);
  expect(told).toEqual([]);
  expect(engine.fallbacks).toBe(0);
  await until("the mark is gone", () => !existsSync(mark));
  await engine.close();
  expect((await daemon.stop()).code).toBe(0);
  // The same client, now that nobody is there on purpose.
  expect(await ask(engine, "plain", { bad: true })).toMatchObject({ verdict: "ALLOW" });
  expect(engine.fallbacks).toBe(1);
});

const v1Event = (action: string, args: object): object => ({
  event: {
    action,
    args,
    parent_principal: null,
    phase: "call",
    principal: null,
    span_id: null,
    ts: null,
  },
  id: "v1-1",
  v: 1,
});

test("a log that nobody reads any more costs no daemon", async () => {
  const place = await makePlace(ruleModule(`${hangs("hangs")}, ${plainRule()}`));
  const daemon = await startDaemon(place);
  daemon.child.stderr?.destroy();
  for (let n = 0; n < 2; n++) expect(await ask(place, "hangs", { hang: true, n })).toMatchObject({ verdict: "BLOCK" });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect(daemon.isAlive()).toBe(true);
  expect((await daemon.stop()).code).toBe(0);
});
