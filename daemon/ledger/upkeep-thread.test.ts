import { existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../../test/kit/processes.ts";
import { program } from "../../test/kit/programs.ts";
import { embeddedStore } from "../store/postgres/address.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { decision } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";
import { beginUpkeep, type Upkeep } from "./upkeep-thread.ts";

const worker = new URL(`file://${program("upkeep-worker")}`);

const upkeepOf = ({ path }: StateDirectory, told: (string | null)[] = []): Upkeep =>
  beginUpkeep(
    worker,
    { place: { state: path, store: embeddedStore }, pace: { receipts: 50, after_ms: 200 } },
    (state) => void told.push(state),
  );

test("moves the log into the database beside whoever writes, and empties it at the end", async () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const upkeep = upkeepOf(state);
  const before = statSync(state.ledgerPath).size;
  for (let n = 0; n < 200; n++) expect(ledger.append([decision()])).toMatchObject([{ durable: true }]);
  ledger.settle();
  await until("the database has grown", () => statSync(state.ledgerPath).size > before);
  ledger.append([decision()]);
  ledger.settle();
  await upkeep.stop();
  expect(statSync(`${state.ledgerPath}-wal`).size).toBe(0);
  ledger.close();
  expect(existsSync(`${state.ledgerPath}-wal`)).toBe(false);
});

test("a thread whose database is away is begun again, signs what was written, and stops all the same", async () => {
  const state = temporaryState();
  openAt(state).close();
  renameSync(state.path, `${state.path}.away`);
  const upkeep = upkeepOf(state);
  await after(300);
  renameSync(`${state.path}.away`, state.path);
  const ledger = openAt(state);
  const before = statSync(state.ledgerPath).size;
  for (let n = 0; n < 200; n++) ledger.append([decision()]);
  ledger.settle();
  await until("the database has grown", () => statSync(state.ledgerPath).size > before);
  await upkeep.stop();
  await upkeep.stop();
  ledger.close();
  expect(readFileSync(state.checkpointPath, "utf8").split("\n")[1]).toBe("200");
});
