import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import {
  BlockedError,
  enforceToolCall,
  NotApprovedError,
  RemoteEngine,
  resumeToolCall,
} from "../../client-node/index.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { type Ended, until } from "../kit/processes.ts";

const secret = "4111-1111-1111-1111";

/** A tool, its ceiling, and from where on somebody is asked. */
const source = (ceiling: number, asksFrom: number, more = ""): string => `import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";

const args = z.strictObject({ amount: z.number(), card: z.string().optional(), note: z.string().optional() });
export default defineRules({
  id: "money",
  version: 1,
  tools: [defineTool({ name: "pay", effect: "write", args, redact: ["card"] })],
  policies: [
    { id: "pay.ceiling", tools: ["pay"], when: { amount: { gt: ${ceiling} } }, then: "deny" },
    { id: "pay.large", tools: ["pay"], when: { amount: { gt: ${asksFrom} } }, then: "require_approval" },
    { id: "pay.daily", tools: ["pay"], limit: { sum: "amount", max: 3000, window_s: 86400 } },${more}
  ],
});
`;

const candidate = (place: Place, name: string, text: string): string => {
  const path = join(place.home, name);
  writeFileSync(path, text);
  return path;
};

const linesOf = ({ stdout }: Ended): readonly string[] => stdout.split("\n").filter((line) => line !== "");
/** Receipts have numbers that differ between deployments: what stands behind them. */
const unnumbered = (ended: Ended): readonly string[] => linesOf(ended).map((line) => line.replace(/^\d+ /, ""));

const put = async (engine: RemoteEngine, args: Record<string, unknown>): Promise<string> => {
  try {
    await enforceToolCall("pay", args, { engine, principal: "agent-1" });
    return "ran";
  } catch (error) {
    if (error instanceof NotApprovedError) return "asked";
    if (error instanceof BlockedError) return "blocked";
    throw error;
  }
};

/** Every file below, as one text: what a secret would be seen in. */
const filesBelow = (directory: string): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

const simulate = (place: Place, ...args: readonly string[]): Promise<Ended> =>
  interlock(place, ["simulate", "--ledger", ...args]);

describe.each(deployments)("calls captured on %s", (_store, settings) => {
  test("say what a candidate would have changed, beside the running daemon", async () => {
    const place = await makePlace(source(5000, 1000), `unknown: block\ncapture_days: 7\n${await settings()}`);
    const daemon = await startDaemon(place);
    const engine = new RemoteEngine(place.socket, { timeout: 20 });
    expect(await put(engine, { amount: 2000 })).toBe("asked");
    expect(await put(engine, { amount: 10 })).toBe("ran");
    // The first one is under way: blocked, and not by a gate; so is what is over the limit.
    expect(await put(engine, { amount: 10 })).toBe("blocked");
    for (const amount of [900, 950, 990]) expect(await put(engine, { amount })).toBe("ran");
    expect(await put(engine, { amount: 999 })).toBe("blocked");
    expect(await put(engine, { amount: 6000 })).toBe("blocked");
    expect(await put(engine, { amount: 7, card: secret })).toBe("ran");
    expect(await put(engine, { amount: 8, note: "x".repeat(70_000) })).toBe("ran");

    const current = await simulate(place);
    expect(current).toMatchObject({ code: 0, stdout: "" });
    const apart = "unverified: 1 too large\n";
    expect(current.stderr).toBe(
      `0 of 8 calls would change; judged without a redacted value: 1 (0 would change, 0 rest on it); ${apart}`,
    );

    const stricter = candidate(place, "stricter.ts", source(1500, 5));
    const changed = await simulate(place, "--rules", stricter);
    const asks = "becomes ESCALATE pay: policy pay.large asks for approval (pay.large), about amount";
    expect(unnumbered(changed)).toEqual([
      "pay: ESCALATE (escalated_operator) becomes BLOCK pay: denied by policy pay.ceiling (pay.ceiling), about amount",
      `pay: ALLOW (allowed) ${asks}`,
      `pay: BLOCK (in_flight, past the gates) ${asks}`,
      ...[900, 950, 990].map(() => `pay: ALLOW (allowed) ${asks}`),
      `pay: BLOCK (limit_exceeded, past the gates) ${asks}`,
      `pay: ALLOW (allowed) ${asks}; judged without card`,
    ]);
    expect(changed.code).toBe(1);
    expect(changed.stderr).toBe(
      "7 of 8 calls would change: 1 newly blocked, 6 newly asked; " +
        `judged without a redacted value: 1 (1 would change, 0 rest on it); ${apart}`,
    );

    const looser = await simulate(place, "--rules", candidate(place, "looser.ts", source(7000, 6500)));
    expect(unnumbered(looser)).toEqual([
      "pay: ESCALATE (escalated_operator) becomes ALLOW pay: allowed",
      "pay: BLOCK (policy_denied) becomes ALLOW pay: allowed",
    ]);
    expect(looser.stderr).toMatch(/^2 of 8 calls would change: 2 newly allowed; /);

    const against = await simulate(place, "--rules", stricter, "--against", stricter);
    expect(against).toMatchObject({ code: 0, stdout: "" });
    const first = Number(/^\d+/.exec(changed.stdout)?.[0]);
    const since = await simulate(place, "--rules", stricter, "--since", String(first + 5), "--json");
    expect(linesOf(since).map((line) => JSON.parse(line))).toMatchObject([
      { seq: first + 5, action: "pay", change: "newly_asked", recorded: { code: "allowed" }, redacted: [] },
      { seq: first + 6, recorded: { verdict: "BLOCK", code: "limit_exceeded" }, after: { verdict: "ESCALATE" } },
      { seq: first + 8, redacted: ["card"] },
      { summary: { ok: false, changed: 2, calls: 5, judged: 3, newly_asked: 2, redacted: 1, too_large: 1 } },
    ]);
    expect((await simulate(place, "--since", "1h")).stderr).toBe(current.stderr);

    await engine.close();
    await daemon.stop();
    const erased = await interlock(place, ["receipts", "erase", String(first)]);
    expect(erased.code).toBe(0);
    expect((await simulate(place)).stderr).toContain("; unverified: 1 not captured, 1 too large\n");
    await receiptsOf(place);
    expect(filesBelow(place.state)).not.toContain(secret);
  }, 60_000);
});

describe("on one machine", () => {
  const staged = async (settings: string) => {
    const place = await makePlace(source(5000, 1000), `unknown: block\n${settings}`);
    const daemon = await startDaemon(place);
    const engine = new RemoteEngine(place.socket, { timeout: 20 });
    return { place, daemon, engine, ledger: join(place.state, "ledger.db") };
  };

  test("without capture it says so, and how to switch it on", async () => {
    const { place, daemon, engine, ledger } = await staged("");
    await put(engine, { amount: 10 });
    expect(await simulate(place)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `interlock: none of 1 recorded calls is captured; capture is off: put capture_days: 7 into ${place.config} and restart the daemon\n`,
    });
    appendFileSync(place.config, "capture_days: 7\n");
    const notYet = await simulate(place);
    expect(notYet.code).toBe(2);
    expect(notYet.stderr).toContain("capture_days is 7 in");
    expect(notYet.stderr).toContain("calls are captured from the daemon's next start on");
    await engine.close();
    await daemon.stop();
    expect(boxesIn(ledger)).toBe(0);
  }, 30_000);

  test("a box that is damaged is told and costs the exit code; the others are judged", async () => {
    const { place, daemon, engine, ledger } = await staged("capture_days: 1\n");
    for (const amount of [1, 2, 3]) await put(engine, { amount });
    await engine.close();
    await daemon.stop();
    inDatabase(ledger, (db) => db.exec("UPDATE boxes SET box = zeroblob(90) WHERE place LIKE 'event:%3'"));
    expect(await simulate(place)).toMatchObject({
      code: 1,
      stdout: "3 damaged: it cannot be judged\n",
      stderr: "0 of 2 calls would change; unverified: 1 damaged\n",
    });
    rmSync(join(place.state, "store.key"));
    const keyless = await simulate(place);
    expect(keyless.code).toBe(5);
    expect(keyless.stderr).toMatch(/^interlock: \S+store\.key is missing; restore the key of this ledger\n$/);
    writeFileSync(join(place.state, "store.key"), new Uint8Array(32), { mode: 0o600 });
    expect((await simulate(place)).stderr).toMatch(/^interlock: \S+store\.key is not the key of this ledger; /);
  }, 30_000);

  test("a call that was asked for, granted and resumed had been asked about, both times", async () => {
    const { place, daemon, engine } = await staged("capture_days: 1\n");
    expect((await interlock(place, ["operators", "add", "ann"])).code).toBe(0);
    const options = { engine, principal: "agent-1", callId: "call-1" };
    const asked = await enforceToolCall("pay", { amount: 2000 }, options).catch((error: unknown) => error);
    if (!(asked instanceof NotApprovedError) || asked.approvalId === null) throw new Error("nobody was asked");
    const { approvalId, callId } = asked;
    expect((await interlock(place, ["approvals", "grant", String(approvalId), "--as", "ann"])).code).toBe(0);
    expect(await resumeToolCall("pay", { approvalId: String(approvalId), callId: String(callId) }, options)).toEqual({
      amount: 2000,
    });
    expect(await simulate(place)).toMatchObject({ code: 0, stdout: "", stderr: "0 of 2 calls would change\n" });
    const looser = await simulate(place, "--rules", candidate(place, "looser.ts", source(5000, 2500)));
    expect(unnumbered(looser)).toEqual([
      "pay: ESCALATE (escalated_operator) becomes ALLOW pay: allowed",
      "pay: MODIFY (allowed, past the gates) becomes ALLOW pay: allowed",
    ]);
    await engine.close();
    await daemon.stop();
  }, 30_000);

  test("what is past its time is deleted by the daemon, and the chain stays whole", async () => {
    const { place, daemon, engine, ledger } = await staged("capture_days: 1\n");
    for (const amount of [1, 2]) await put(engine, { amount });
    await engine.close();
    await daemon.stop();
    expect(boxesIn(ledger)).toBe(2);
    inDatabase(ledger, (db) => db.exec("UPDATE boxes SET expires_ms = 1 WHERE place LIKE 'event:%2'"));
    const again = await startDaemon(place);
    await until("what is past its time is deleted", async () => boxesIn(ledger) === 1, 20_000);
    expect((await simulate(place)).stderr).toBe("0 of 1 call would change; unverified: 1 not captured\n");
    await again.stop();
    await receiptsOf(place);
  }, 40_000);

  test("what a candidate says because of a value that was not captured is not told as a change", async () => {
    const { place, daemon, engine } = await staged("capture_days: 1\n");
    await put(engine, { amount: 7, card: secret });
    const policy = `{ id: "pay.cards", tools: ["pay"], when: { card: { pattern: "^4" } }, then: "require_approval" },
    { id: "pay.short", tools: ["pay"], when: { card: { maxLength: 12 } }, then: "deny" },`;
    const rested = await simulate(place, "--rules", candidate(place, "cards.ts", source(5000, 1000, policy)));
    expect(rested).toMatchObject({ code: 0, stdout: "" });
    expect(rested.stderr).toBe(
      "0 of 0 calls would change; judged without a redacted value: 1 (0 would change, 1 rest on it)\n",
    );
    await engine.close();
    await daemon.stop();
    expect(filesBelow(place.home)).not.toContain(secret);
  }, 30_000);

  test("asked for both, for neither or for no time, it is refused", async () => {
    const place = await makePlace(source(1, 1));
    for (const args of [[], ["--events", "-", "--ledger"], ["--events", "-", "--since", "1h"]]) {
      const ended = await interlock(place, ["simulate", ...args]);
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toMatch(/^interlock: (simulate takes|--since goes with)/);
    }
    expect((await simulate(place, "--since", "yesterday")).stderr).toBe(
      "interlock: --since is a span (90m, 12h, 7d) or a receipt's number\n",
    );
    expect((await simulate(place)).code).toBe(5);
  });
});

const inDatabase = <T>(path: string, work: (db: Database.Database) => T): T => {
  const db = new Database(path, { fileMustExist: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
};

const boxesIn = (path: string): number =>
  inDatabase(
    path,
    (db) => db.prepare<[], number>("SELECT count(*) FROM boxes WHERE place LIKE 'event:%'").pluck().get() ?? 0,
  );
