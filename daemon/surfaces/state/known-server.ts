import { itemKey } from "../surface.ts";
import { hashesOf, type ItemState, type ServerRecord } from "./record.ts";
import type { StoredRecord } from "./server-documents.ts";

/** A record as a call is held against it: looked up, never searched. */
export interface KnownServer extends StoredRecord {
  readonly record: ServerRecord;
  /** Hashes of the baseline by item. */
  readonly approved: ReadonlyMap<string, string>;
  /** Of each item of the baseline, what was approved and when: `<hash>@<version>`. What was learned of a tool holds for one of these. */
  readonly approvals: ReadonlyMap<string, string>;
  /** Quarantined items: by whatever a session saw of them they are not called. */
  readonly quarantined: ReadonlyMap<string, ItemState>;
}

export const knownServer = ({ key, version }: StoredRecord, record: ServerRecord): KnownServer => ({
  key,
  version,
  record,
  approved: hashesOf(record.baseline?.items ?? []),
  approvals: new Map(
    (record.baseline?.items ?? []).map((item) => [itemKey(item), `${item.hash}@${item.approved_in ?? 0}`]),
  ),
  quarantined: new Map(
    record.items.filter(({ action }) => action === "quarantine").map((state) => [itemKey(state), state]),
  ),
});
