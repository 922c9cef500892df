import { accessSync, constants } from "node:fs";
import { Refusal } from "../../exit-codes.ts";
import { readGivenFile } from "../../ledger/read-given-file.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { StoreFailed, StoreRefused } from "../../store/refused.ts";
import { type GateBaseline, GateFailed, type GateObservation } from "../commands/ci-gate.ts";
import { maxListingBytes } from "../offline/limits.ts";
import { type ListingFile, ListingFileRefused, parseListingFile } from "../offline/listing-file.ts";
import { readRecordedServer } from "../offline/recorded-server.ts";
import type { ServerKey } from "../surface.ts";

/** A committed baseline, or any saved listing. */
export const baselineFromFile = async (path: string, server: ServerKey): Promise<GateBaseline> => {
  const { surface } = await listingFrom(path, "the baseline", server);
  return { from: "file", approved: surface, record: null, version: null };
};

/** What the store of this machine's daemon approved. */
export const baselineFromStore = async (place: ReceiptPlace, server: ServerKey): Promise<GateBaseline> => {
  const recorded = await readRecordedServer(place, server).catch((error: unknown) => {
    if (error instanceof StoreFailed)
      throw new GateFailed("inconclusive", `the store cannot be read: ${error.message}`);
    if (error instanceof StoreRefused) throw new GateFailed("config_error", error.message);
    throw error;
  });
  if (recorded === null)
    throw new GateFailed("config_error", "no MCP server of that name, and that credential, was ever reported");
  const { record, approved } = recorded;
  if (approved === null) throw new GateFailed("config_error", "nothing of the server is approved yet");
  return { from: "store", approved, record, version: record.baseline?.version ?? null };
};

/** A listing that was saved before. */
export const observedInFile = async (path: string, server: ServerKey): Promise<GateObservation> => ({
  status: "observed",
  surface: (await listingFrom(path, "the listing", server)).surface,
});

const listingFrom = async (path: string, what: string, server: ServerKey): Promise<ListingFile> => {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES")
      throw new GateFailed("auth_error", `${what} cannot be read: permission denied`);
  }
  try {
    return parseListingFile(await readGivenFile(path, what, maxListingBytes), server);
  } catch (error) {
    if (error instanceof Refusal) throw new GateFailed("config_error", error.message);
    if (error instanceof ListingFileRefused)
      throw new GateFailed("config_error", `${what} is refused: ${error.message}`);
    throw error;
  }
};
