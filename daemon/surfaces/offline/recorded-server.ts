import { openReader, type ReceiptPlace } from "../../store/receipt-reader.ts";
import { runSteps } from "../../store/steps.ts";
import { approvedSurface } from "../state/definitions.ts";
import { parseRecord, recordKey, type ServerRecord } from "../state/record.ts";
import type { ServerKey, Surface } from "../surface.ts";

/** What the store of a state directory knows of a server. */
export interface RecordedServer {
  readonly record: ServerRecord;
  /** Null where nothing was approved. */
  readonly approved: Surface | null;
}

/** Read beside the daemon, or without one. Null where no such server was reported. Throws StoreRefused and StoreFailed. */
export const readRecordedServer = async (place: ReceiptPlace, server: ServerKey): Promise<RecordedServer | null> => {
  const reader = await openReader(place);
  try {
    const key = recordKey(server);
    const row = await reader.documents.findDocument("server", key);
    if (row === null) return null;
    const record = parseRecord(row.body);
    return { record, approved: await runSteps(approvedSurface(reader.documents, key, record)) };
  } finally {
    await reader.close();
  }
};
