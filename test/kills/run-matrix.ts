import { expect, vi } from "vitest";
import { report } from "../torture/kit/figures.ts";
import { seedFrom } from "../torture/kit/seed.ts";
import { InvariantBroken } from "./broken.ts";
import { endOf } from "./ending.ts";
import { Fuse, killPoints } from "./fuse.ts";
import type { KillableStore } from "./killable-store.ts";
import { Schedule } from "./schedule.ts";

/** INTERLOCK_KILL_MATRIX_SEED replays from one schedule on; INTERLOCK_KILL_MATRIX_SCHEDULES says how many follow. */
const schedules = Number(process.env.INTERLOCK_KILL_MATRIX_SCHEDULES ?? 500);
/** A day apart, so that no schedule's calls are within another's windows. */
const begin_ms = 1_760_000_000_000;
const day_ms = 86_400_000;

/** Runs schedules, each over a store that `storeOf` makes; throws with the seed of the first that broke an invariant. */
export const runMatrix = async (
  kind: string,
  stepsOfOne: number,
  storeOf: (name: string) => KillableStore,
): Promise<void> => {
  // Time passes when a schedule says so, and never by itself.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const first = seedFrom("INTERLOCK_KILL_MATRIX_SEED");
  const fuse = new Fuse();
  const codes = new Map<string, number>();
  const started_ms = performance.now();
  let effects = 0;
  for (let at = 0; at < schedules; at++) {
    const seed = (first + at) >>> 0;
    const name = `s${seed}`;
    const store = storeOf(name);
    const point = killPoints[seed % killPoints.length] as (typeof killPoints)[number];
    const schedule = new Schedule(seed, point, store, fuse, begin_ms + at * day_ms);
    try {
      await schedule.run(stepsOfOne);
      await endOf(schedule, name);
    } catch (error) {
      const what = error instanceof InvariantBroken ? error.message : "it threw";
      const replay = `INTERLOCK_KILL_MATRIX_SEED=${seed} INTERLOCK_KILL_MATRIX_SCHEDULES=1`;
      throw new Error(`${replay} replays it (killed first: ${point}): ${what}`, { cause: error });
    } finally {
      await store.end();
    }
    for (const { effects: ran } of schedule.calls) effects += ran;
    for (const [code, count] of schedule.heard.codes) codes.set(code, (codes.get(code) ?? 0) + count);
  }
  vi.useRealTimers();
  const kills = [...fuse.blown.values()].reduce((sum, count) => sum + count, 0);
  const told = [...codes].sort(([, one], [, other]) => other - one).map(([code, count]) => `${code} ${count}`);
  report(
    `${kind}: ${schedules} schedules in ${((performance.now() - started_ms) / 1000).toFixed(1)} s, ${kills} kills, ` +
      `${effects} effects; ${told.join(", ")}; ${[...fuse.blown].map(([point, count]) => `${point} ${count}`).join(", ")}`,
  );
  if (schedules < killPoints.length * 10) return;
  // Each point was met, so that the run has tested what it says.
  expect(killPoints.filter((point) => (fuse.blown.get(point) ?? 0) === 0)).toEqual([]);
};
