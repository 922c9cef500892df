import { expect, test } from "vitest";
import { temporaryState } from "../ledger/test-state.ts";
import { openStore } from "../store/open-store.ts";
import { openPostgresStore } from "../store/postgres/open-store.ts";
import { freshDaemon } from "../store/postgres/test-daemons.ts";
import type { Store } from "../store/store.ts";
import { runSchedule } from "./test-schedule.ts";

const seeds = Number(process.env.INTERLOCK_TEST_SEEDS ?? 2_000);
const first = Number(process.env.INTERLOCK_TEST_SEED ?? 1);

/** So many schedules share a database before it is closed and opened again. */
const schedulesPerLife = 100;

const failed = (seed: number, error: unknown): Error =>
  new Error(`seed ${seed} fails (run again with INTERLOCK_TEST_SEED=${seed} INTERLOCK_TEST_SEEDS=1)`, { cause: error });

const run = async (store: Store, seed: number): Promise<void> => {
  try {
    await runSchedule(store, seed);
  } catch (error) {
    throw failed(seed, error);
  }
};

const executedIn = async (store: Store): Promise<number> =>
  (await store.reads.listTransactions({ status: "executed", limit: 10 })).length;

test(`whatever fails and whoever dies, nothing runs twice (${seeds} schedules from ${first})`, async () => {
  const state = temporaryState();
  let { store } = openStore(state, "process", null);
  for (let seed = first; seed < first + seeds; seed++) {
    await run(store, seed);
    if (seed % schedulesPerLife === 0) {
      store.close();
      store = openStore(state, "process", null).store;
    }
  }
  if (seeds > 1) expect(await executedIn(store)).toBeGreaterThan(0);
  store.close();
}, 240_000);

/** Fewer: each step is a journey to another process. */
const postgresSeeds = Math.ceil(seeds / 20);

test(`nor on PostgreSQL (${postgresSeeds} schedules from ${first})`, async () => {
  const { store } = await openPostgresStore(await freshDaemon(), null, 1_000);
  for (let seed = first; seed < first + postgresSeeds; seed++) await run(store, seed);
  if (postgresSeeds > 1) expect(await executedIn(store)).toBeGreaterThan(0);
  await store.close();
}, 240_000);
