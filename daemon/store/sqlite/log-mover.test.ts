import { existsSync, statSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EmbeddedLedger } from "../../ledger/record.ts";
import { decision } from "../../ledger/test-records.ts";
import { openAt, temporaryState } from "../../ledger/test-state.ts";
import type { StateDirectory } from "../state-directory.ts";
import { moveLogNowAndThen, openLogMover } from "./log-mover.ts";
import { openDatabase } from "./open-database.ts";
import { moduleAt, nextLine, runModule } from "./test-processes.ts";

const logBytes = (state: StateDirectory): number => statSync(`${state.ledgerPath}-wal`).size;

const append = (ledger: EmbeddedLedger, count: number): void => {
  for (let index = 0; index < count; index++) {
    expect(ledger.append([decision()])).toMatchObject([{ durable: true }]);
    ledger.settle();
  }
};

test("while nobody moves the log it grows; moved, it starts again and stays as it is", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  append(ledger, 200);
  const grown = logBytes(state);
  append(ledger, 200);
  expect(logBytes(state)).toBeGreaterThan(grown);
  const mover = openLogMover(state);
  for (let round = 0; round < 5; round++) {
    const { logPages, movedPages, heldWriter } = mover.run();
    expect(movedPages).toBe(logPages);
    expect(heldWriter).toBe(false);
    const before = logBytes(state);
    append(ledger, 100);
    expect(logBytes(state)).toBe(before);
  }
  mover.close();
  ledger.close();
});

test("under a load without a pause the log starts again, because the writer is held now and then", async () => {
  const state = temporaryState();
  openAt(state).close();
  const bound = 2_000;
  const mover = openLogMover(state, bound);
  const writer = runModule(moduleAt(new URL("../../ledger/test-append-forever.ts", import.meta.url)), [state.path]);
  expect(await nextLine(writer)).toBe("appending");
  let [held, restarts, before] = [0, 0, 0];
  while (restarts < 3 || held === 0) {
    await after(20);
    const { heldWriter, logPages } = mover.run();
    if (heldWriter) held += 1;
    if (logPages < before) restarts += 1;
    before = logPages;
  }
  await writer.kill();
  expect(held).toBeGreaterThan(0);
  mover.close();
}, 60_000);

test("a reader that is not ours and holds the log costs the writer little, and only once for as many pages", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const mover = openLogMover(state, 100);
  append(ledger, 5);
  const { db } = openDatabase(state.ledgerPath, "read");
  const held = db.prepare("SELECT first FROM pages").iterate();
  held.next();
  append(ledger, 200);
  const began = performance.now();
  const first = mover.run();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(first.heldWriter).toBe(true);
  expect(first.movedPages).toBeLessThan(first.logPages);
  append(ledger, 5);
  expect(mover.run().heldWriter).toBe(false);
  append(ledger, 200);
  expect(mover.run().heldWriter).toBe(true);
  held.return?.();
  append(ledger, 1);
  const last = mover.run();
  expect(last.movedPages).toBe(last.logPages);
  db.close();
  mover.close();
  ledger.close();
});

test("closing moves everything and empties the log", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  append(ledger, 20);
  openLogMover(state).close();
  expect(logBytes(state)).toBe(0);
  append(ledger, 1);
  ledger.close();
  expect(existsSync(`${state.ledgerPath}-wal`)).toBe(false);
});

test("the daemon's log is moved by itself until that is stopped", async () => {
  const state = temporaryState();
  const ledger = openAt(state);
  append(ledger, 50);
  const before = statSync(state.ledgerPath).size;
  const stop = moveLogNowAndThen(state);
  await after(1_300);
  expect(statSync(state.ledgerPath).size).toBeGreaterThan(before);
  stop();
  ledger.close();
});
