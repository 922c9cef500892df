import type { CheckpointStore } from "./checkpoint-rows.ts";
import { embeddedStore } from "./postgres/address.ts";
import type { ReceiptPlace } from "./receipt-reader.ts";
import { openSqliteCheckpoints } from "./sqlite/checkpoint-rows.ts";
import { findStateDirectory } from "./state-directory.ts";

/** The checkpoints of a daemon's chain, beside the daemon. Throws StoreRefused. */
export const openCheckpoints = async ({ state, store }: ReceiptPlace): Promise<CheckpointStore> => {
  const directory = findStateDirectory(state);
  if (store === embeddedStore) return openSqliteCheckpoints(directory);
  // Its driver is loaded by whoever has a server.
  const { openPostgresCheckpoints } = await import("./postgres/checkpoint-rows.ts");
  return openPostgresCheckpoints(store, directory);
};
