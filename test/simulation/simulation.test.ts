import { describe, expect, it } from "vitest";
import { verifyChain } from "../../daemon/ledger/test-verify-chain.ts";
import { openReceiptReader } from "../../daemon/store/sqlite/read-receipts.ts";
import { openStateDirectory } from "../../daemon/store/state-directory.ts";
import { shortDirectory } from "../kit/place.ts";
import { report } from "../torture/kit/figures.ts";
import { seedFrom } from "../torture/kit/seed.ts";
import { InvariantBroken, Simulation, type Tally } from "./simulation.ts";

/** INTERLOCK_SIM_SEED replays from one schedule on; INTERLOCK_SIM_SCHEDULES says how many follow. */
const schedules = Number(process.env.INTERLOCK_SIM_SCHEDULES ?? 1_500);
const stepsOfOne = 60;
/** A day apart, so that no schedule's receipts are within another's lease. */
const begin_ms = 1_760_000_000_000;
const day_ms = 86_400_000;

describe("engine, group and ledger under failures of the disk, of rules, of the engine, of connections, and of the clock", () => {
  it("let no verdict leave without its durable receipt, decide nothing twice, answer everything, and keep the chain whole", async () => {
    const first = seedFrom("INTERLOCK_SIM_SEED");
    const directory = openStateDirectory(`${shortDirectory()}/state`);
    const tally: Tally = { questions: 0, verdicts: 0, notRecorded: 0, askedAgain: 0, crashes: 0 };
    const started_ms = performance.now();
    for (let schedule = 0; schedule < schedules; schedule++) {
      const seed = (first + schedule) >>> 0;
      try {
        await new Simulation(seed, directory, begin_ms + schedule * day_ms, tally).run(stepsOfOne);
      } catch (error) {
        if (!(error instanceof InvariantBroken)) throw error;
        throw new Error(`INTERLOCK_SIM_SEED=${seed} INTERLOCK_SIM_SCHEDULES=1 replays it: ${error.message}`);
      }
    }
    const reader = openReceiptReader(directory);
    const verified = verifyChain(reader.chain, reader.rows(1, Number.MAX_SAFE_INTEGER), null, () => undefined);
    reader.close();
    expect(verified).toMatchObject({ whole: true });
    report(
      `${schedules} schedules in ${((performance.now() - started_ms) / 1000).toFixed(1)} s: ${tally.questions} questions, ` +
        `${tally.verdicts} verdicts, ${tally.notRecorded} blocked for want of a receipt, ${tally.askedAgain} asked again, ${tally.crashes} crashes`,
    );
    // Each failure was met, so that the run has tested what it says.
    expect(Math.min(tally.verdicts, tally.notRecorded, tally.askedAgain, tally.crashes)).toBeGreaterThan(
      schedules / 10,
    );
  }, 400_000);
});
