import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { resumeFrame } from "../../wire/request-frame.ts";
import { ask } from "../kit/asking.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { eventLine, helloLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";
import { freshDatabase } from "../kit/services/services.ts";

const source = ruleModule(
  [
    plainRule(),
    rule("slow", "return new Promise((resolve) => setTimeout(() => resolve(allow()), 200));", { async: true }),
    rule("yes", 'return escalate("somebody decides", { by: "operator" });'),
  ].join(",\n"),
);

const placeWith = async (settings: string): Promise<Place> => {
  const place = await makePlace(source, `unknown: allow\n${settings}`);
  await interlock(place, ["operators", "add", "ann"]);
  return place;
};

const stopped = (place: Place, reason = "drill") => interlock(place, ["stop", "--reason", reason]);
const resumed = (place: Place, ...more: string[]) => interlock(place, ["resume", "--reason", "over", ...more]);
const code = async (place: Place, action = "plain"): Promise<string | null> => (await ask(place, action, {})).code;

const stopsIn = async (place: Place): Promise<readonly unknown[]> =>
  (await receiptsOf(place))
    .filter(({ event }) => String(event).startsWith("stop_"))
    .map(({ event, detail }) => [event, detail]);

describe.each(deployments)("interlock stop on %s", (_name, settings) => {
  test("blocks everything at once, says who, when and why, survives a restart, and is over when it is resumed", async () => {
    const place = await placeWith(await settings());
    const daemon = await startDaemon(place);
    expect(await code(place)).toBe("allowed");
    const said = await stopped(place);
    expect([said.code, said.stdout]).toEqual([
      0,
      expect.stringMatching(/^everything is stopped\nst_\S{22}: by operator:ann since \S+: "drill"\n$/),
    ]);
    expect([await code(place), await code(place, "no-rule-covers-it")]).toEqual(["stopped", "stopped"]);
    const status = await interlock(place, ["status"]);
    expect([status.code, status.stderr]).toEqual([1, expect.stringContaining("is stopped at")]);
    expect((await interlock(place, ["doctor"])).stderr).toContain("FAIL nothing is stopped: everything is");
    await daemon.kill();
    const again = await startDaemon(place);
    expect(await code(place)).toBe("stopped");
    expect((await interlock(place, ["stops"])).stderr).toMatch(/^st_\S{22}: by operator:ann/);
    const over = await resumed(place);
    expect([over.code, over.stdout]).toEqual([0, expect.stringContaining("calls are judged again")]);
    expect([await code(place), (await interlock(place, ["stops"])).stdout]).toEqual([
      "allowed",
      "nothing is stopped\n",
    ]);
    const noted = await stopsIn(place);
    expect(noted[0]).toEqual(["stop_begun", expect.stringMatching(/^st_\S{22} by operator:ann: drill$/)]);
    expect(noted.at(-1)).toEqual(["stop_ended", expect.stringMatching(/^st_\S{22} by operator:ann: over$/)]);
    await again.stop();
  });
});

test("two stops stand for themselves: one that is ended leaves the other", async () => {
  const place = await placeWith("");
  const daemon = await startDaemon(place);
  const [first = ""] = /st_\S{22}/.exec((await stopped(place, "one")).stdout) ?? [];
  await stopped(place, "two");
  const left = await resumed(place, "--stop", first);
  expect([left.code, left.stderr]).toEqual([1, expect.stringMatching(/ended st_.*\nstill stopped by st_.*"two"/)]);
  expect((await resumed(place, "--stop", first)).code).toBe(1);
  expect(await code(place)).toBe("stopped");
  expect((await resumed(place)).code).toBe(0);
  expect(await code(place)).toBe("allowed");
  await daemon.stop();
});

test("a call in judgement when everything is stopped does not run", async () => {
  const place = await placeWith("");
  const daemon = await startDaemon(place);
  const engine = new RemoteEngine(place.socket, { timeout: 10 });
  const calls = Array.from({ length: 200 }, () => ask(engine, "slow", {}));
  const stop = await stopped(place);
  expect(stop.code).toBe(0);
  const verdicts = (await Promise.all(calls)).map((call) => call.code);
  const late = await ask(engine, "slow", {});
  expect(late.code).toBe("stopped");
  // Whoever was allowed was allowed before the stop's own receipt.
  const receipts = await receiptsOf(place);
  const begun = receipts.find(({ event }) => event === "stop_begun")?.seq ?? 0;
  const allowedAfter = receipts.filter(({ seq, verdict }) => seq > begun && verdict === "ALLOW");
  expect([allowedAfter, verdicts.length]).toEqual([[], 200]);
  await engine.close();
  await daemon.stop();
});

/** Each time the same session: what it asked before, it asks again. */
const askingAgain = async (place: Place, frames: readonly (string | Buffer)[]) => {
  const connection = await RawConnection.open(place.socket);
  const lines = [helloLine("a-nonce-of-some-length"), ...frames.map((frame) => Buffer.from(frame))];
  connection.send(Buffer.concat(lines));
  await connection.line(10_000);
  const answers: { details?: { code?: string; approval_id?: string } }[] = [];
  for (const _ of frames) answers.push(JSON.parse((await connection.line(10_000)).toString()));
  connection.drop();
  return answers.map(({ details }) => details ?? {});
};

test("an approved call cannot be resumed, and what was allowed before is not allowed again by asking again", async () => {
  const place = await placeWith("");
  const daemon = await startDaemon(place);
  const asking = (...frames: (string | Buffer)[]) => askingAgain(place, frames);
  const plain = eventLine("1", "plain", {});
  const later = eventLine("5", "plain", {});
  const [asked, allowed] = await asking(eventLine("2", "yes", {}, { call_id: "c" }), plain, later);
  const approval_id = asked?.approval_id as string;
  expect(allowed?.code).toBe("allowed");
  expect((await interlock(place, ["approvals", "grant", approval_id])).code).toBe(0);
  await stopped(place);
  const resume = (id: string): string => resumeFrame(id, { approval_id, call_id: "c", action: "yes" });
  expect((await asking(plain, resume("3"))).map((answer) => answer.code)).toEqual(["stopped", "stopped"]);
  await resumed(place);
  const before = (await receiptsOf(place)).length;
  // Judged anew, by a receipt of its own: the kept answer is of before the stop.
  expect((await asking(later))[0]?.code).toBe("allowed");
  expect((await receiptsOf(place)).length).toBe(before + 1);
  expect((await asking(resume("4")))[0]?.code).not.toBe("stopped");
  await daemon.stop();
});

test("the file stops its daemon within a quarter of a second, at a start too, and is over when it is gone", async () => {
  const place = await makePlace(source, "unknown: allow\n");
  const daemon = await startDaemon(place);
  const path = join(place.state, "STOP");
  writeFileSync(path, "ticket 7\n");
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await code(place)).toBe("stopped");
  await daemon.stop();
  const again = await startDaemon(place);
  expect(await code(place)).toBe("stopped");
  rmSync(path);
  await until("it is over", async () => (await code(place)) === "allowed", 5_000);
  // Whoever is no operator puts it there and takes it away by the commands.
  const stop = await stopped(place);
  expect([stop.code, stop.stdout, existsSync(path)]).toEqual([
    0,
    expect.stringContaining("is stopped by the file"),
    true,
  ]);
  await until("it is stopped", async () => (await code(place)) === "stopped", 5_000);
  expect((await resumed(place)).code).toBe(0);
  await until("it is over", async () => (await code(place)) === "allowed", 5_000);
  expect(await stopsIn(place)).toContainEqual([
    "stop_begun",
    expect.stringMatching(/^the file STOP of uid \d+, since \S+: ticket 7$/),
  ]);
  await again.stop();
});

test("what was allowed before the file STOP came is not allowed again by asking a daemon that was started since", async () => {
  const place = await makePlace(source, "unknown: allow\n");
  const daemon = await startDaemon(place);
  const path = join(place.state, "STOP");
  const plain = eventLine("1", "plain", {});
  expect((await askingAgain(place, [plain]))[0]?.code).toBe("allowed");
  writeFileSync(path, "");
  await until("it is stopped", async () => (await code(place)) === "stopped", 5_000);
  rmSync(path);
  await until("it is over", async () => (await code(place)) === "allowed", 5_000);
  await daemon.kill();
  const again = await startDaemon(place);
  const before = (await receiptsOf(place)).length;
  expect((await askingAgain(place, [plain]))[0]?.code).toBe("allowed");
  // Judged anew, by a receipt of its own. And that one is of after the stop.
  expect((await receiptsOf(place)).length).toBe(before + 1);
  expect((await askingAgain(place, [plain]))[0]?.code).toBe("allowed");
  expect((await receiptsOf(place)).length).toBe(before + 1);
  await again.stop();
});

test("a signal stops everything, ends nothing, and survives the engine and the process", async () => {
  const place = await placeWith("");
  const daemon = await startDaemon(place);
  daemon.child.kill("SIGUSR2");
  await until("it is stopped", async () => (await code(place)) === "stopped", 5_000);
  daemon.child.kill("SIGUSR2");
  await until("it is written", async () => (await stopsIn(place)).length >= 2, 5_000);
  await daemon.kill();
  const again = await startDaemon(place);
  expect(await code(place)).toBe("stopped");
  expect((await interlock(place, ["stops"])).stderr).toContain("by signal since");
  expect((await resumed(place)).code).toBe(0);
  expect(await code(place)).toBe("allowed");
  await again.stop();
});

test("daemons of one PostgreSQL are stopped and resumed together, whichever is told, and each has it in its chain", async () => {
  const settings = `store: ${JSON.stringify(await freshDatabase())}\n`;
  const [one, two] = [await placeWith(settings), await placeWith(settings)];
  const first = await startDaemon(one);
  writeFileSync(join(two.home, "deployment.key"), readFileSync(join(one.home, "deployment.key")), { mode: 0o600 });
  const second = await startDaemon(two);
  expect(await code(two)).toBe("allowed");
  await stopped(one);
  expect(await code(one)).toBe("stopped");
  await until("the other is stopped", async () => (await code(two)) === "stopped", 3_000);
  expect((await resumed(two)).code).toBe(0);
  expect(await code(two)).toBe("allowed");
  await until("the other goes on", async () => (await code(one)) === "allowed", 3_000);
  for (const place of [one, two]) {
    expect((await stopsIn(place)).map((noted) => (noted as string[])[0])).toEqual(["stop_begun", "stop_ended"]);
  }
  await Promise.all([first.stop(), second.stop()]);
});

test("while no daemon answers, the file is told and taken away all the same, and the store is not spoken for", async () => {
  const place = await placeWith("");
  await stopped(place, "night");
  const path = join(place.state, "STOP");
  const told = await interlock(place, ["stops"]);
  expect([told.code, told.stderr]).toEqual([
    5,
    expect.stringMatching(/^the file \S+STOP of uid \d+ since \S+: "night"\nno answer at /),
  ]);
  expect(existsSync(path)).toBe(true);
  const over = await resumed(place);
  expect([over.code, over.stderr]).toEqual([5, expect.stringMatching(/^the file \S+STOP is removed\nno answer at /)]);
  expect(existsSync(path)).toBe(false);
  const unknown = await interlock(place, ["stops", "--json"]);
  expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([5, { ok: false, code: "no_daemon" }]);
});
