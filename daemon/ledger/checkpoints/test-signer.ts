import { readFileSync } from "node:fs";
import type { PrivateKey } from "../../keys/private-key.ts";
import { generateKeyPair } from "../../keys/private-key.ts";
import type { CheckpointStore } from "../../store/checkpoint-rows.ts";
import { openSqliteCheckpoints } from "../../store/sqlite/checkpoint-rows.ts";
import { openReceiptReader } from "../../store/sqlite/read-receipts.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import type { EmbeddedLedger } from "../record.ts";
import { decision } from "../test-records.ts";
import { openAt } from "../test-state.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { type CheckpointNote, parseCheckpointNote } from "./checkpoint-file.ts";
import { type CheckpointPace, CheckpointSigner } from "./signer.ts";

export const testKey: PrivateKey = generateKeyPair();

/** A signer whose clock stands until a test moves it. */
export interface Bench {
  readonly store: CheckpointStore;
  readonly signer: CheckpointSigner;
  readonly clock: { now_ms: number; monotonic_ms: number };
}

export const signerOf = (
  directory: StateDirectory,
  {
    pace = { receipts: 10, after_ms: 1_000 },
    key = testKey,
    onRead = () => undefined,
  }: { pace?: CheckpointPace; key?: PrivateKey; onRead?: (from: number) => void } = {},
): Bench => {
  const opened = openSqliteCheckpoints(directory);
  const store: CheckpointStore = {
    ...opened,
    hashes: (from, count) => {
      onRead(from);
      return opened.hashes(from, count);
    },
    leaves: (from, count) => {
      onRead(from);
      return opened.leaves(from, count);
    },
  };
  const clock = { now_ms: 1_000_000, monotonic_ms: 0 };
  const signer = new CheckpointSigner({
    store,
    directory,
    key,
    pace,
    now_ms: () => clock.now_ms,
    monotonic_ms: () => clock.monotonic_ms,
  });
  return { store, signer, clock };
};

/** Receipts that are settled in the database. */
export const appendTo = (ledger: EmbeddedLedger, count: number): void => {
  for (let n = 0; n < count; n++) ledger.append([decision()]);
  ledger.settle();
};

/** A ledger with so many receipts, closed. */
export const ledgerOf = (directory: StateDirectory, count: number): void => {
  const ledger = openAt(directory);
  appendTo(ledger, count);
  ledger.close();
};

export const fileOf = ({ checkpointPath }: StateDirectory): CheckpointNote =>
  parseCheckpointNote(readFileSync(checkpointPath, "utf8")) as CheckpointNote;

/** The root over the receipts as they are stored, from their text on. */
export const rootOf = (directory: StateDirectory, size: number): string => {
  const reader = openReceiptReader(directory);
  const tree = CompactRange.empty();
  for (const { hash } of reader.rows(1, size)) tree.addReceipt(hash);
  reader.close();
  return hex(tree.root());
};

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
