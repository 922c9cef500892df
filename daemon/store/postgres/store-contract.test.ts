import { describe } from "vitest";
import { describeCheckpointStore } from "../test-checkpoint-store.ts";
import { describePruning } from "../test-pruning-store.ts";
import { describeReceiptStore } from "../test-receipt-store.ts";
import { describeTransactionColumns } from "../test-transaction-columns.ts";
import { describeTransactionStore } from "../test-transaction-store.ts";
import { openPostgresCheckpoints } from "./checkpoint-rows.ts";
import { openPostgresStore } from "./open-store.ts";
import { freshDaemon } from "./test-daemons.ts";

const open = async () => (await openPostgresStore(await freshDaemon(), null, 1_000)).store;

describe("receipts on PostgreSQL", () => describeReceiptStore(open));
describe("checkpoints on PostgreSQL", () =>
  describeCheckpointStore(async () => {
    const place = await freshDaemon();
    const { store } = await openPostgresStore(place, null, 1_000);
    return { receipts: store, checkpoints: await openPostgresCheckpoints(place.address, place.directory) };
  }));
describe("transactions on PostgreSQL", () => {
  describeTransactionStore(open);
  describeTransactionColumns(open);
});
describe("pruning on PostgreSQL", () => describePruning(open));
