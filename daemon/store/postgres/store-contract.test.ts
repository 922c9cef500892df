import { describe } from "vitest";
import { describePruning } from "../test-pruning-store.ts";
import { describeReceiptStore } from "../test-receipt-store.ts";
import { describeTransactionColumns } from "../test-transaction-columns.ts";
import { describeTransactionStore } from "../test-transaction-store.ts";
import { openPostgresStore } from "./open-store.ts";
import { freshDaemon } from "./test-daemons.ts";

const open = async () => (await openPostgresStore(await freshDaemon(), null, 1_000)).store;

describe("receipts on PostgreSQL", () => describeReceiptStore(open));
describe("transactions on PostgreSQL", () => {
  describeTransactionStore(open);
  describeTransactionColumns(open);
});
describe("pruning on PostgreSQL", () => describePruning(open));
