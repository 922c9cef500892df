import { describe, expect, test } from "vitest";
import type { ControlRecord } from "../ledger/record.ts";
import { StoreFailed } from "../store/refused.ts";
import { runSteps, type Steps, step } from "../store/steps.ts";
import type { StopRow } from "../store/stop-rows.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { Stops } from "./stops.ts";

/** A store of stops in memory that can be away, as several daemons share it. */
class Shared {
  rows: StopRow[] = [];
  isAway = false;

  there<T>(value: T): T {
    if (this.isAway) throw new StoreFailed("away");
    return value;
  }

  daemon(now_ms: () => number) {
    const noted: string[] = [];
    const logged: string[] = [];
    const note = function* (record: ControlRecord): Steps<void> {
      yield* step(void noted.push(`${record.event} ${record.detail}`));
    };
    const tx = {
      stops: () => this.rows,
      beginStop: (row: StopRow) => void this.rows.push(row),
      endStop: (id: string, { at_ms, by, reason }: { at_ms: number; by: string; reason: string }) => {
        const standing = this.rows.some(({ stop_id, ended_ms }) => stop_id === id && ended_ms === null);
        this.rows = this.rows.map((row) =>
          row.stop_id === id && row.ended_ms === null
            ? { ...row, ended_ms: at_ms, ended_by: by, end_reason: reason }
            : row,
        );
        return standing;
      },
    } as Partial<StoreTx> as StoreTx;
    const stops = new Stops({
      ledger: {
        reads: { stops: async () => this.there(this.rows) },
        change: async (work) => runSteps(work(this.there(tx), note)),
        appendControl: async (record) => {
          noted.push(`${record.event} ${record.detail}`);
          return { durable: true as const, seq: noted.length };
        },
      },
      now_ms,
      rules: () => "sha256:rules",
      stopFile: "/nonexistent/STOP",
      log: (line) => logged.push(line),
      onBegun: () => undefined,
    });
    return { stops, noted, logged };
  }
}

const when = (): number => 1_700_000_000_000;

describe("a stop", () => {
  test("a store that is away: it blocks whoever was told, and is written when the store is back", async () => {
    const shared = new Shared();
    const { stops, noted } = shared.daemon(when);
    const other = shared.daemon(when);
    shared.isAway = true;
    await expect(stops.begin("operator:ann", "why")).rejects.toThrow(StoreFailed);
    expect([stops.state.block?.code, stops.state.unwritten.length, noted]).toEqual(["stopped", 1, []]);
    shared.isAway = false;
    await other.stops.look();
    expect(other.stops.state.block).toBeNull();
    await stops.retry();
    expect([stops.state.unwritten, stops.state.standing.length]).toEqual([[], 1]);
    await other.stops.look();
    expect(other.stops.state.block?.code).toBe("stopped");
    expect(noted).toEqual([expect.stringMatching(/^stop_begun st_\S{22} by operator:ann: why$/)]);
    expect(other.noted).toEqual(noted);
  });

  test("that could not be written yet is ended by whoever resumes, once it is", async () => {
    const shared = new Shared();
    const { stops } = shared.daemon(when);
    shared.isAway = true;
    await stops.begin("signal", "SIGUSR2").catch(() => undefined);
    await expect(stops.end(null, "operator:ben", "over")).rejects.toThrow(StoreFailed);
    expect(stops.state.block?.code).toBe("stopped");
    shared.isAway = false;
    expect(await stops.end(null, "operator:ben", "over")).toMatchObject([
      { begun_by: "signal", ended_by: "operator:ben" },
    ]);
    expect(stops.state.block).toBeNull();
  });

  test("that another daemon began and ended is in this one's chain, with who and why", async () => {
    const shared = new Shared();
    const [one, two] = [shared.daemon(when), shared.daemon(when)];
    await one.stops.begin("operator:ann", "why");
    await two.stops.look();
    await one.stops.end(null, "operator:ben", "over");
    await two.stops.look();
    expect(two.stops.state.block).toBeNull();
    expect(two.noted).toEqual([
      expect.stringMatching(/^stop_begun st_\S{22} by operator:ann: why$/),
      expect.stringMatching(/^stop_ended st_\S{22} by operator:ben: over$/),
    ]);
  });
});
