import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { type Asked, ask, askUntil } from "../kit/asking.ts";
import { receiptsOf, startDaemon } from "../kit/daemon.ts";
import { eventLine, helloLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { start, until } from "../kit/processes.ts";
import { program } from "../kit/programs.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

const source = (delay_ms: number): string =>
  ruleModule(
    [
      rule("slow", `await context.lookup("later", "k"); return allow();`, { async: true }),
      rule("hangs", "taken(); for (;;);"),
      plainRule(),
    ].join(",\n"),
    {
      before: `import { appendFileSync } from "node:fs";
const taken = () => appendFileSync(process.env.HOME + "/taken", "x");`,
      more: `resolvers: { later: () => { taken(); return new Promise((resolve) => setTimeout(resolve, ${delay_ms})); } },
deadline_ms: 5000,`,
    },
  );

/** Waits until the daemon judges so many calls: what is in flight is what it has taken, not what was written. */
const taken = (place: Place, count: number): Promise<void> =>
  until(`${count} calls are in flight`, () => {
    const path = `${place.home}/taken`;
    return existsSync(path) && statSync(path).size >= count;
  });

/** Nothing is left of a daemon that stopped but its ledger and its locks' files. */
const leftBehind = (place: Place): readonly string[] =>
  [...readdirSync(place.home), ...readdirSync(place.state)].filter((name) =>
    /^(g\.sock|g\.sock\.restarting|daemon\.json)$/.test(name),
  );

const expectReceipts = async (place: Place, asked: readonly Asked[]): Promise<void> => {
  const decided = (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
  const recorded = new Map(decided.map(({ call_id, verdict }) => [call_id, verdict]));
  // Nothing was decided twice, though much of it was asked again.
  expect(recorded.size).toBe(decided.length);
  const answered = asked.filter(({ code }) => code !== null);
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.filter(({ call_id, verdict }) => recorded.get(call_id) !== verdict)).toEqual([]);
};

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("answers what is in flight, leaves nothing but the ledger, and ends with 0", async () => {
    const place = await makePlace(source(400));
    const daemon = await startDaemon(place);
    const engine = new RemoteEngine(place.socket);
    const calls = Array.from({ length: 50 }, (_, n) => ask(engine, "slow", { n }));
    await taken(place, calls.length);
    daemon.child.kill(signal);
    const answers = await Promise.all(calls);
    expect(answers.filter(({ verdict }) => verdict !== "ALLOW")).toEqual([]);
    expect(await daemon.ended).toMatchObject({ code: 0, signal: null });
    expect(leftBehind(place)).toEqual([]);
    await expectReceipts(place, answers);
    expect((await receiptsOf(place)).at(-1)).toMatchObject({ event: "stopped" });
    const again = await startDaemon(place);
    expect((await again.stop()).code).toBe(0);
  });

  test("under load loses no receipt of a verdict that was given", async () => {
    const place = await makePlace(source(20));
    const daemon = await startDaemon(place);
    const stoppers = ["slow", "plain", "plain"].map((action) => askUntil(place, action, { atOnce: 20 }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    daemon.child.kill(signal);
    expect(await daemon.ended).toMatchObject({ code: 0, signal: null });
    const all = (await Promise.all(stoppers.map((stop) => stop()))).flat();
    expect(all.filter(({ verdict, code }) => verdict === "ALLOW" && code === null)).toEqual([]);
    expect(leftBehind(place)).toEqual([]);
    await expectReceipts(place, all);
  });
});

test("a peer that never stops asking does not keep the daemon from stopping", async () => {
  const place = await makePlace(source(50));
  const daemon = await startDaemon(place);
  const peer = await RawConnection.open(place.socket);
  peer.send(helloLine());
  let n = 0;
  const flood = setInterval(() => {
    for (let i = 0; i < 20; i++) peer.send(eventLine(`f-${n++}`, "slow", { n }));
  }, 5);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before_ms = Date.now();
  expect((await daemon.stop()).code).toBe(0);
  expect(Date.now() - before_ms).toBeLessThan(4_000);
  clearInterval(flood);
  peer.drop();
});

test("who comes while the daemon drains is turned away without an answer", async () => {
  const place = await makePlace(source(800));
  const daemon = await startDaemon(place);
  const inFlight = ask(place, "slow", {});
  await taken(place, 1);
  daemon.child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const late = await RawConnection.open(place.socket);
  late.send(helloLine());
  late.send(eventLine("late", "plain", {}));
  await late.closed(2_000);
  expect(await inFlight).toMatchObject({ verdict: "ALLOW" });
  expect((await daemon.ended).code).toBe(0);
  expect((await receiptsOf(place)).filter(({ action }) => action === "plain")).toEqual([]);
});

test("a second SIGTERM is the same stop", async () => {
  const place = await makePlace(source(500));
  const daemon = await startDaemon(place);
  const inFlight = ask(place, "slow", {});
  await taken(place, 1);
  for (const signal of ["SIGTERM", "SIGTERM", "SIGINT", "SIGHUP"] as const) {
    daemon.child.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await inFlight).toMatchObject({ verdict: "ALLOW" });
  const ended = await daemon.ended;
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.stderr).not.toMatch(/Error|\bat /);
  expect((await receiptsOf(place)).filter(({ event }) => event === "stopped").length).toBe(1);
});

test("SIGTERM while a rule hangs: the call is blocked and recorded, and the daemon ends with 0", async () => {
  const place = await makePlace(source(10).replace("deadline_ms: 5000", "deadline_ms: 700"));
  const daemon = await startDaemon(place);
  const hanging = ask(place, "hangs", {});
  await taken(place, 1);
  const before_ms = Date.now();
  expect((await daemon.stop()).code).toBe(0);
  expect(Date.now() - before_ms).toBeLessThan(5_000);
  expect(await hanging).toMatchObject({ verdict: "BLOCK" });
  expect(leftBehind(place)).toEqual([]);
  expect(await receiptsOf(place)).toContainEqual(expect.objectContaining({ action: "hangs", code: "rule_overran" }));
});

test("SIGTERM while the engine restarts leaves neither socket nor mark", async () => {
  const place = await makePlace(
    `${ruleModule(`${rule("hangs", "for (;;);")}, ${plainRule()}`, {
      before: `import { existsSync } from "node:fs";
const slow = existsSync(process.env.HOME + "/slow") && Date.now() + 1200;
while (slow > Date.now());`,
    })}`,
  );
  const daemon = await startDaemon(place);
  writeFileSync(`${place.home}/slow`, "");
  const hanging = ask(place, "hangs", {});
  await until("the engine restarts", () => readdirSync(place.home).includes("g.sock.restarting"));
  expect((await daemon.stop()).code).toBe(0);
  expect(await hanging).toMatchObject({ verdict: "BLOCK" });
  expect(leftBehind(place)).toEqual([]);
  await receiptsOf(place);
});

test("SIGTERM during the start ends it with 0 once it can", async () => {
  const place = await makePlace(
    ruleModule(plainRule(), {
      before: `const slow = /engine-worker/.test(process.argv[1]) && Date.now() + 2000; while (slow > Date.now());`,
    }),
  );
  const daemon = start(program("interlock-sidecar"), [], { env: place.env });
  await until("the start is under way", () => readdirSync(place.home).includes("state"));
  daemon.child.kill("SIGTERM");
  expect(await daemon.ended).toMatchObject({ code: 0, signal: null });
  expect(leftBehind(place)).toEqual([]);
});

test("SIGKILL under load: the next start goes on with the chain, and each verdict given has its receipt", async () => {
  const place = await makePlace(source(20));
  const daemon = await startDaemon(place);
  const stoppers = ["slow", "plain"].map((action) => askUntil(place, action, { atOnce: 20 }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await daemon.kill();
  const again = await startDaemon(place);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const all = (await Promise.all(stoppers.map((stop) => stop()))).flat();
  expect((await again.stop()).code).toBe(0);
  await expectReceipts(place, all);
  expect((await receiptsOf(place)).filter(({ event }) => event === "started").length).toBe(2);
});
