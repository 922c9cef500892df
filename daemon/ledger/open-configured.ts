import type { Settings } from "../config/settings.ts";
import { embeddedStore, printableAddress } from "../store/postgres/address.ts";
import { openStateDirectory, type StateDirectory } from "../store/state-directory.ts";
import { runSteps } from "../store/steps.ts";
import { assertContinues } from "./checkpoints/continues.ts";
import { ledgerOn, openLedger } from "./open.ts";
import type { OpenLedger } from "./record.ts";

type Chosen = Pick<Settings, "state" | "store" | "durability" | "deployment_key">;

/**
 * The ledger of the store that the settings name, for its one writer: whole, and going on from what was signed of it.
 * Rejects with StoreRefused, one line.
 */
export const openConfiguredLedger = async (
  settings: Chosen,
  expectChain: string | null,
  now_ms: number,
): Promise<OpenLedger> => {
  const directory = openStateDirectory(settings.state);
  const { durability, store } = settings;
  const isEmbedded = store === embeddedStore;
  const ledger = isEmbedded
    ? openLedger(directory, { durability, expectChain, now_ms })
    : await openServedLedger(settings, directory, expectChain, now_ms);
  try {
    await runSteps(assertContinues(ledger, directory, isEmbedded ? directory.ledgerPath : printableAddress(store)));
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
};

/** On PostgreSQL. Its driver is loaded by whoever has one. */
const openServedLedger = async (
  { store: address, deployment_key }: Chosen,
  directory: StateDirectory,
  expectChain: string | null,
  now_ms: number,
): Promise<OpenLedger> => {
  const { openPostgresStore } = await import("../store/postgres/open-store.ts");
  const place = { address, deploymentKeyPath: deployment_key, directory };
  const { store, key } = await openPostgresStore(place, expectChain, now_ms);
  return runSteps(ledgerOn(store, key, printableAddress(address), now_ms));
};
