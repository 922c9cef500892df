import { describe } from "vitest";
import { temporaryState } from "../../ledger/test-state.ts";
import { openStore } from "../open-store.ts";
import { describeCheckpointStore } from "../test-checkpoint-store.ts";
import { describePruning } from "../test-pruning-store.ts";
import { describeReceiptStore } from "../test-receipt-store.ts";
import { describeTransactionColumns } from "../test-transaction-columns.ts";
import { openSqliteCheckpoints } from "./checkpoint-rows.ts";

const open = async () => openStore(temporaryState(), "process", null).store;

describe("receipts on SQLite", () => describeReceiptStore(open));
describe("checkpoints on SQLite", () =>
  describeCheckpointStore(async () => {
    const state = temporaryState();
    const { store } = openStore(state, "process", null);
    return { receipts: store, checkpoints: openSqliteCheckpoints(state) };
  }));
describe("columns on SQLite", () => describeTransactionColumns(open));
describe("pruning on SQLite", () => describePruning(open));
