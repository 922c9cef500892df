import { openSqliteCheckpoints } from "../../store/sqlite/checkpoint-rows.ts";
import { openStateDirectory } from "../../store/state-directory.ts";
import { receiptsKey, receiptsKeyExists } from "../checkpoints/receipts-key.ts";
import { CheckpointSigner } from "../checkpoints/signer.ts";
import { openLedger } from "../open.ts";
import { decision, start_ms } from "../test-records.ts";
import { pruneStep, youngestPruned_ms } from "./prune.ts";

/** For tests: appends, signs and prunes until it is killed, and prints through which receipt each time. */
const [, , path = ""] = process.argv;
const directory = openStateDirectory(path);
const ledger = openLedger(directory, { durability: "process", expectChain: null, now_ms: start_ms });
const key = await receiptsKey(directory.receiptsKeyPath, receiptsKeyExists(directory.receiptsKeyPath));
const signer = new CheckpointSigner({
  store: openSqliteCheckpoints(directory),
  directory,
  key,
  pace: { receipts: 1, after_ms: 0 },
  now_ms: () => start_ms,
  monotonic_ms: () => 0,
});
const order = {
  bound: { kind: "before_seq", seq: Number.MAX_SAFE_INTEGER },
  by: "test",
  rules: "sha256:rules",
  now_ms: start_ms + 2 * youngestPruned_ms,
} as const;
for (;;) {
  for (let n = 0; n < 100; n++) ledger.append([decision()]);
  ledger.settle();
  await signer.last();
  const through = await pruneStep(ledger, order);
  if (through !== null) process.stdout.write(`${through}\n`);
}
