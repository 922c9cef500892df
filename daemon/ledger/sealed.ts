import type { BoxRow } from "../store/changed-rows.ts";
import { type Steps, step } from "../store/steps.ts";
import type { NewReceipt } from "../store/store.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { eventPlace } from "../transactions/places.ts";
import type { SettleDeps } from "../transactions/settle-deps.ts";
import type { Capture, CommitResult, DecisionRecord } from "./record.ts";

/** A captured event, sealed for its place. */
export interface CapturedBox extends BoxRow {
  readonly place: string;
}

/** Receipts that follow each other from a head, and what becomes true of each entry once they are durable. */
export interface Sealed {
  readonly results: readonly CommitResult[];
  readonly rows: readonly NewReceipt[];
  /** The records of `rows`. */
  readonly records: readonly DecisionRecord[];
  /** What is captured beside them: it stands with them or not at all. */
  readonly boxes: readonly CapturedBox[];
}

export const capturedBox = (
  chain: string,
  seq: number,
  { text, expires_ms }: Capture,
  { seal }: Pick<SettleDeps, "seal">,
): CapturedBox => {
  const place = eventPlace(chain, seq);
  return { place, expires_ms, box: seal(place, text) };
};

export function* writeSealed(tx: StoreTx, { rows, boxes }: Sealed): Steps<void> {
  yield* step(tx.insertReceipts(rows));
  for (const { place, expires_ms, box } of boxes) yield* step(tx.putBox(place, expires_ms, box));
}
