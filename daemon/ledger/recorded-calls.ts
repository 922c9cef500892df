import { maxBoxesAtOnce, type ReceiptReader } from "../store/receipt-reader.ts";
import type { ReceiptRow } from "../store/store.ts";
import { eventPlace } from "../transactions/places.ts";
import { type CapturedEvent, parseCaptured } from "./captured-event.ts";
import { receiptHash } from "./hash.ts";
import { type DecisionReceipt, parseReceipt } from "./parse-receipt.ts";
import { resumeAction } from "./resume-action.ts";
import type { Sealer } from "./sealing.ts";

/** Where to begin: at a receipt, or at a time. */
export type Since = { readonly seq: number } | { readonly time_ms: number };

/** A call of the ledger, with what was captured of it. `damaged`: receipt or box are not what was written. */
export type RecordedCall =
  | { readonly seq: number; readonly receipt: DecisionReceipt; readonly captured: CapturedEvent | "none" | "damaged" }
  | { readonly seq: number; readonly receipt: null; readonly captured: "damaged" };

/** Every call from there on, in order, up to the newest receipt of now. Throws StoreFailed. */
export async function* recordedCalls(
  reader: ReceiptReader,
  { open }: Pick<Sealer, "open">,
  since: Since,
  now_ms: number,
): AsyncGenerator<RecordedCall> {
  const newest = await reader.newestSeq();
  const first = "seq" in since ? since.seq : 1;
  for await (const rows of inParts(reader.rows(first, newest))) {
    // After the rows: a box stands with its receipt, or its time is over.
    const boxes = await reader.boxes(
      rows.map(({ seq }) => eventPlace(reader.chain, seq)),
      now_ms,
    );
    for (const row of rows) {
      const receipt = parseReceipt(row.receipt);
      if (receipt === null || receiptHash(row.receipt) !== row.hash) {
        yield { seq: row.seq, receipt: null, captured: "damaged" };
      } else if (isCall(receipt) && ("seq" in since || receipt.time_ms >= since.time_ms)) {
        const place = eventPlace(reader.chain, row.seq);
        const box = boxes.get(place);
        yield { seq: row.seq, receipt, captured: box === undefined ? "none" : opened(open(place, box), receipt) };
      }
    }
  }
}

/** A resume of nothing is recorded, and is no call. */
const isCall = (receipt: NonNullable<ReturnType<typeof parseReceipt>>): receipt is DecisionReceipt =>
  receipt.kind === "decision" && receipt.phase === "call" && receipt.action !== resumeAction;

const opened = (text: string | null, receipt: DecisionReceipt): CapturedEvent | "damaged" => {
  const captured = text === null ? null : parseCaptured(text);
  if (captured === null) return "damaged";
  if ("leftOut" in captured) return captured;
  const { event, redacted } = captured;
  const { action, phase, principal, parent_principal, call_id, span_id } = receipt;
  const isOfIt =
    event.action === action &&
    event.phase === phase &&
    event.principal === principal &&
    event.parent_principal === parent_principal;
  return isOfIt ? { event: { ...event, call_id, span_id }, redacted } : "damaged";
};

async function* inParts(rows: ReturnType<ReceiptReader["rows"]>): AsyncGenerator<readonly ReceiptRow[]> {
  let part: ReceiptRow[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length < maxBoxesAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
