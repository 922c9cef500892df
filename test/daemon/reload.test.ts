import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ask, askUntil } from "../kit/asking.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, putRules } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

/** Two rules of one set say which version they are of: an answer of two versions would show. */
const version = (n: number): string =>
  ruleModule(
    [
      rule("first", `return rewrite({ first: ${n} });`, { actions: ["version"] }),
      rule("slow", `await context.lookup("later", "k"); return rewrite({ slow: ${n} });`, { async: true }),
      rule("second", `return rewrite({ second: ${n} });`, { actions: ["version"] }),
    ].join(",\n"),
    {
      version: n,
      more: "resolvers: { later: () => new Promise((resolve) => setTimeout(resolve, 1500)) }, deadline_ms: 10000,",
    },
  );

const statusOf = async (place: Place): Promise<Record<string, unknown>> =>
  JSON.parse((await interlock(place, ["status", "--json"])).stdout) as Record<string, unknown>;

const hangUp = async (place: Place, daemon: Daemon): Promise<void> => {
  const countOf = async () => ((await statusOf(place)).reload as { count: number }).count;
  const before = await countOf();
  daemon.child.kill("SIGHUP");
  await until("the daemon has reloaded", async () => (await countOf()) > before);
};

test("under load every answer is wholly of one version, none is dropped, none is blocked", async () => {
  const place = await makePlace(version(1));
  const daemon = await startDaemon(place);
  const stopAsking = askUntil(place, "version", { atOnce: 16 });
  for (const n of [2, 3]) {
    await putRules(place, version(n));
    await hangUp(place, daemon);
  }
  for (const n of [4, 5]) {
    await putRules(place, version(n));
    const { code, stdout } = await interlock(place, ["rules", "reload"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^rules sha256:[0-9a-f]{64}, version ${n}, in force\\n$`));
    expect(await ask(place, "version", {})).toMatchObject({ modified_args: { first: n, second: n } });
  }
  const all = await stopAsking();
  const answered = all.map(({ verdict, modified_args }) => {
    const { first, second } = (modified_args ?? {}) as { first?: number; second?: number };
    return verdict === "MODIFY" && first === second ? first : { verdict, first, second };
  });
  expect(new Set(answered)).toEqual(new Set([1, 2, 3, 4, 5]));
  await daemon.stop();

  const receipts = await receiptsOf(place);
  const loaded = receipts.filter(({ event }) => event === "rules_loaded");
  const started = receipts.find(({ event }) => event === "started");
  expect(loaded.length).toBe(4);
  expect(loaded.map(({ rules_before }) => rules_before)).toEqual([
    started?.rules,
    ...loaded.slice(0, -1).map(({ rules }) => rules),
  ]);
  expect(new Set([started, ...loaded].map((receipt) => receipt?.rules)).size).toBe(5);
});

test("a call that was in flight is judged by the version that it started on, and its receipt says so", async () => {
  const place = await makePlace(version(1));
  const daemon = await startDaemon(place);
  const { rules: before } = await statusOf(place);
  const inFlight = ask(place, "slow", {});
  // Reading, checking and swapping take longer than a call to arrive; the new file is put there when it has.
  await new Promise((resolve) => setTimeout(resolve, 400));
  await putRules(place, version(2));
  expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
  const after = ask(place, "slow", {});
  expect([await inFlight, await after]).toMatchObject([{ modified_args: { slow: 1 } }, { modified_args: { slow: 2 } }]);
  const { rules: now } = await statusOf(place);
  await daemon.stop();
  const decided = (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
  expect(decided.map(({ rules }) => rules)).toEqual([before, now]);
  expect(now).not.toBe(before);
});

test("an older version is refused: the rules stay, status and ledger say why", async () => {
  const place = await makePlace(version(2));
  const daemon = await startDaemon(place);
  await putRules(place, version(1));
  const reload = await interlock(place, ["rules", "reload"]);
  expect(reload).toMatchObject({ code: 1, stdout: "" });
  expect(reload.stderr).toMatch(/^the rules stay as they were: rule set \S+ is version 1 of kit; version 2 was served/);
  expect(await ask(place, "version", {})).toMatchObject({ modified_args: { first: 2, second: 2 } });
  const status = await interlock(place, ["status"]);
  expect(status).toMatchObject({ code: 0 });
  expect(status.stdout).toContain("the last one was refused: rule set");
  await daemon.stop();
  expect(await receiptsOf(place)).toContainEqual(
    expect.objectContaining({ event: "rules_refused", detail: expect.stringContaining("version 2 was served") }),
  );
});

test("a file that is broken, missing, or that hangs is refused, and what is served goes on", async () => {
  const place = await makePlace(version(1));
  const daemon = await startDaemon(place);
  const stopAsking = askUntil(place, "version");
  writeFileSync(place.rules, "{ half a fi");
  await hangUp(place, daemon);
  expect(await statusOf(place)).toMatchObject({ status: "serving", rules_version: 1, reload: { ok: false } });
  const hangs = "if (/loading-worker\\.js$/.test(process.argv[1])) for (;;);";
  await putRules(place, ruleModule(plainRule("version"), { version: 2, before: hangs }));
  const reload = await interlock(place, ["rules", "reload", "--json"]);
  expect(reload.code).toBe(1);
  expect(JSON.parse(reload.stdout)).toMatchObject({
    ok: false,
    message: expect.stringContaining("does not end within 5000 ms"),
  });
  expect(await ask(place, "version", {})).toMatchObject({ modified_args: { first: 1, second: 1 } });
  expect((await stopAsking()).filter(({ verdict }) => verdict !== "MODIFY")).toEqual([]);
  await daemon.stop();
  expect((await receiptsOf(place)).filter(({ event }) => event === "rules_refused").length).toBe(2);
});

test("what the last reload came to is told after a restart of the engine, too", async () => {
  const place = await makePlace(ruleModule(`${plainRule()}, ${rule("dies", "process.exit(0);")}`, { version: 2 }));
  const daemon = await startDaemon(place);
  await putRules(place, ruleModule(plainRule()));
  expect((await interlock(place, ["rules", "reload"])).code).toBe(1);
  expect(await ask(place, "dies", {})).toMatchObject({ code: "rule_crashed" });
  expect(await statusOf(place)).toMatchObject({ reload: { count: 1, ok: false } });
  await daemon.stop();
});

test("a reload that is asked for while the engine restarts waits for it", async () => {
  const place = await makePlace(ruleModule(`${plainRule()}, ${rule("hangs", "for (;;);")}`));
  const daemon = await startDaemon(place);
  await putRules(place, ruleModule(`${plainRule()}, ${rule("hangs", "return allow();")}`, { version: 2 }));
  const answer = ask(place, "hangs", {});
  for (let n = 0; n < 4; n++) {
    daemon.child.kill("SIGHUP");
    await new Promise((resolve) => setTimeout(resolve, 90));
  }
  expect((await answer).verdict).toBe("BLOCK");
  await until("version 2 is served", async () => (await statusOf(place)).rules_version === 2);
  expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
  expect(await ask(place, "hangs", {})).toMatchObject({ verdict: "ALLOW" });
  expect((await daemon.stop()).code).toBe(0);
});

test("where no daemon runs, reload says so", async () => {
  const place = await makePlace(version(1));
  expect(await interlock(place, ["rules", "reload"])).toMatchObject({ code: 1, stdout: "" });
  const daemon = await startDaemon(place);
  await daemon.kill();
  const { code, stderr } = await interlock(place, ["rules", "reload"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^no answer at \S+: ECONNREFUSED; start interlock-sidecar\n$/);
});
