import type { Settings } from "../config/settings.ts";
import { openStateDirectory } from "../store/state-directory.ts";
import { openLedger } from "./open.ts";
import type { OpenLedger } from "./record.ts";

/** The ledger of the store that the settings name, for its one writer. Rejects with StoreRefused, one line. */
export const openConfiguredLedger = async (
  settings: Pick<Settings, "state" | "durability">,
  expectChain: string | null,
  now_ms: number,
): Promise<OpenLedger> =>
  openLedger(openStateDirectory(settings.state), { durability: settings.durability, expectChain, now_ms });
