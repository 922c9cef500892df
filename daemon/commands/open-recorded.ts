import type { Settings } from "../config/settings.ts";
import { type Sealer, sealer } from "../ledger/sealing.ts";
import { embeddedStore } from "../store/postgres/address.ts";
import { openReader, type ReceiptReader } from "../store/receipt-reader.ts";
import { StoreRefused } from "../store/refused.ts";
import { keyDigest } from "../store/sqlite/key-digest.ts";
import { findStateDirectory } from "../store/state-directory.ts";
import { readStoreKey } from "../store/store-key.ts";

export type RecordedPlace = Pick<Settings, "state" | "store" | "deployment_key">;

/** The recorded ledger of a daemon, beside it, with what opens its boxes. Throws StoreRefused and StoreFailed. */
export const openRecorded = async (
  place: RecordedPlace,
): Promise<{ readonly reader: ReceiptReader; readonly seals: Sealer }> => {
  const reader = await openReader(place);
  try {
    const isEmbedded = place.store === embeddedStore;
    const path = isEmbedded ? findStateDirectory(place.state).keyPath : place.deployment_key;
    const key = readStoreKey(path);
    if (key === null) {
      const code = isEmbedded ? "store_key_missing" : "deployment_key_missing";
      throw new StoreRefused(code, `${path} is missing; restore the key of this ledger`);
    }
    if ((await reader.keyDigest()) !== keyDigest(key)) {
      const code = isEmbedded ? "ledger_other_chain" : "deployment_key_other";
      throw new StoreRefused(code, `${path} is not the key of this ledger; restore it`);
    }
    return { reader, seals: sealer(key) };
  } catch (error) {
    await reader.close();
    throw error;
  }
};
