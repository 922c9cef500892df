import { expect, test } from "vitest";
import { type Steps, step } from "../steps.ts";
import { receiptRow } from "../test-receipt-rows.ts";
import type { StoreTx } from "../transaction-rows.ts";
import { Connection } from "./connection.ts";
import { openPostgresStore } from "./open-store.ts";
import { freshDaemon } from "./test-daemons.ts";

test("no salt of a receipt that was pruned is left", async () => {
  const place = await freshDaemon();
  const { store } = await openPostgresStore(place, null, 1_000);
  const final_salt = "f".repeat(32);
  await store.insertAll([1, 2, 3].map((seq) => receiptRow(seq, { final_salt })));
  await store.transact(function* (tx: StoreTx): Steps<void> {
    yield* step(tx.prune({ through: 2, hash: receiptRow(2).hash, frontier: ["a".repeat(64)], time_ms: 1_000 }));
  });
  await store.close();
  const connection = new Connection(place.address);
  for (const table of ["salts", "final_salts"]) {
    const { rows } = await connection.query(`SELECT seq::int AS seq FROM interlock.${table} ORDER BY seq`);
    expect(rows).toEqual([{ seq: 3 }]);
  }
  await connection.close();
});
