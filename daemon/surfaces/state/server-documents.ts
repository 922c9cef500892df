import type { DocumentReads, DocumentTx } from "../../store/document-rows.ts";
import { type Steps, step } from "../../store/steps.ts";
import { type Baseline, parseRecord, recordText, type ServerRecord } from "./record.ts";

/** A record as it lies in the store. */
export interface StoredRecord {
  readonly key: string;
  /** 0 where it lies there not yet. */
  readonly version: number;
  readonly record: ServerRecord | null;
}

/** Another daemon wrote between a look and a write. The work is begun again. */
export class RecordMoved extends Error {
  override readonly name = "RecordMoved";
}

export function* readStored(reads: DocumentReads, key: string): Steps<StoredRecord> {
  const row = yield* step(reads.findDocument("server", key));
  return row === null
    ? { key, version: 0, record: null }
    : { key, version: row.version, record: parseRecord(row.body) };
}

/** Writes a record in the place of the one that was read, and its baseline beside those before it. Throws RecordMoved. */
export function* writeRecord(tx: DocumentTx, before: StoredRecord, record: ServerRecord): Steps<StoredRecord> {
  const { key, version } = before;
  if (!(yield* step(tx.putDocument("server", key, version, recordText(record))))) throw new RecordMoved();
  const { baseline } = record;
  if (baseline !== null && baseline.version !== before.record?.baseline?.version) {
    yield* step(tx.keepDocument("baseline", baselineKey(key, baseline.version), JSON.stringify(baseline)));
  }
  return { key, version: version + 1, record };
}

/** In the order of their numbers. */
export const baselineKey = (record: string, version: number): string =>
  `${record}:${version.toString().padStart(9, "0")}`;

export const parseBaseline = (body: string): Baseline => JSON.parse(body) as Baseline;
