import { describe, expect, it } from "vitest";
import { BlockedError } from "../../client-node/blocked-error.ts";
import type { Decision } from "../../client-node/decision.ts";
import { RemoteEngine } from "../../client-node/remote-engine.ts";
import { report } from "./kit/figures.ts";
import { Seeded, seedFrom } from "./kit/seed.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** INTERLOCK_KILL_SEED replays the kills' moments; INTERLOCK_KILLS makes the run longer. */
const kills = Number(process.env.INTERLOCK_KILLS ?? 200);
const clients = 4;
const inFlight = 12;
const verifyEvery = 20;

const actions = ["torture.allowed", "torture.rewritten", "torture.slow", "torture.unknown"] as const;

interface Outcome {
  readonly action: string;
  /** Null where no verdict came. */
  readonly decision: Decision | null;
  /** Kills between the question and its outcome. */
  readonly kills: number;
}

/** What the clients saw, by the call's id: nothing is run, but what would have run is noted after its verdict alone. */
class Log {
  readonly outcomes = new Map<string, Outcome>();
  readonly ran = new Set<string>();
  killsBegun = 0;
  killsDone = 0;
  isOver = false;
}

/** Asks without a pause until it is told to stop. `details` came over the wire, so it marks a daemon's verdict. */
const askOn = async (engine: RemoteEngine, from: Seeded, name: string, log: Log): Promise<void> => {
  for (let count = 0; !log.isOver; count++) {
    const call_id = `${name}-${count}`;
    const action = from.pick(actions);
    const before = log.killsDone;
    try {
      const decision = await engine.evaluate({ action, call_id, args: { unique: call_id, wait_ms: from.below(30) } });
      log.outcomes.set(call_id, { action, decision, kills: log.killsBegun - before });
      if (decision.verdictName === "ALLOW" || decision.verdictName === "MODIFY") log.ran.add(call_id);
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      log.outcomes.set(call_id, { action, decision: null, kills: log.killsBegun - before });
    }
    // A client that is told of a verdict does something before it asks again.
    await new Promise((resolve) => setTimeout(resolve, from.below(3)));
  }
};

describe("kill -9 at any moment", () => {
  it("takes no receipt of a verdict that a client was given, decides nothing twice, and leaves a whole chain", async () => {
    const seed = seedFrom("INTERLOCK_KILL_SEED");
    const from = new Seeded(seed);
    const daemon = await Sidecar.started();
    const log = new Log();
    const engines = Array.from(
      { length: clients },
      () => new RemoteEngine(daemon.socket, { timeout: 20, grace_ms: 15_000 }),
    );
    const asking = engines.flatMap((engine, client) =>
      Array.from({ length: inFlight }, (_, lane) =>
        askOn(engine, new Seeded(seed + 1 + client * inFlight + lane), `c${client}-${lane}`, log),
      ),
    );
    const started_ms = performance.now();
    const starts: number[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, from.below(160)));
      log.killsBegun++;
      await daemon.kill();
      log.killsDone++;
      // One start in ten does not get far either.
      if (from.chance(0.1)) {
        log.killsBegun++;
        await daemon.startAndKill(from.below(250));
        log.killsDone++;
      }
      if (kill % verifyEvery === 0) expect(daemon.verify()).toMatchObject({ whole: true });
      const before_ms = performance.now();
      await daemon.start();
      starts.push(performance.now() - before_ms);
    }
    log.isOver = true;
    await Promise.all(asking);
    await Promise.all(engines.map((engine) => engine.close()));
    expect(await daemon.stop()).toBe(0);
    const seconds = (performance.now() - started_ms) / 1000;

    expect(daemon.verify()).toMatchObject({ whole: true });
    const receipts = new Map<string, string[]>();
    for (const { kind, call_id, verdict } of daemon.receipts()) {
      if (kind === "decision")
        receipts.set(String(call_id), [...(receipts.get(String(call_id)) ?? []), String(verdict)]);
    }
    const told = [...log.outcomes].filter(([, { decision }]) => decision !== null);
    const withoutReceipt = told.filter(([call_id, { decision }]) => {
      const verdicts = receipts.get(call_id);
      return verdicts?.length !== 1 || verdicts[0] !== decision?.verdictName;
    });
    const twice = [...receipts].filter(([, verdicts]) => verdicts.length > 1);
    const untold = [...log.outcomes].filter(([, { decision }]) => decision === null);
    const resent = engines.reduce((sum, { stats }) => sum + stats.resent, 0);
    report(
      `${kills} kills in ${seconds.toFixed(0)} s: ${log.outcomes.size} questions, ${told.length} verdicts, ` +
        `${receipts.size} receipts, ${resent} asked again, ${untold.length} without a verdict; a start takes ` +
        `${starts.sort((a, b) => a - b)[starts.length >> 1]?.toFixed(0)} ms`,
    );
    expect(withoutReceipt).toEqual([]);
    expect(twice).toEqual([]);
    const expected = { "torture.allowed": 0, "torture.rewritten": 2, "torture.slow": 0, "torture.unknown": 1 };
    for (const [, { action, decision }] of told) {
      expect(decision?.verdict).toBe(expected[action as keyof typeof expected]);
      if (action === "torture.rewritten") expect(decision?.modified_args).toHaveProperty("safe", true);
    }
    for (const call_id of log.ran) expect(log.outcomes.get(call_id)?.decision).not.toBeNull();
    // A question is asked once more, so one kill costs nobody a block; two in its lifetime may.
    expect(untold.filter(([, outcome]) => outcome.kills < 2)).toEqual([]);
    expect(told.length).toBeGreaterThan(10 * kills);
    expect(resent).toBeGreaterThan(kills);
  }, 240_000);
});
