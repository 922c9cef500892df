import { itemKey } from "../surface.ts";
import { hashesOf, type ItemState, type ServerRecord } from "./record.ts";
import type { StoredRecord } from "./server-documents.ts";

/** A record as a call is held against it: looked up, never searched. */
export interface KnownServer extends StoredRecord {
  readonly record: ServerRecord;
  /** Hashes of the baseline by item. */
  readonly approved: ReadonlyMap<string, string>;
  /** Quarantined items: by whatever a session saw of them they are not called. */
  readonly quarantined: ReadonlyMap<string, ItemState>;
}

export const knownServer = ({ key, version }: StoredRecord, record: ServerRecord): KnownServer => ({
  key,
  version,
  record,
  approved: hashesOf(record.baseline?.items ?? []),
  quarantined: new Map(
    record.items.filter(({ action }) => action === "quarantine").map((state) => [itemKey(state), state]),
  ),
});
