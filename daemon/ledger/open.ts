import { maxInFlightRequests, resendLease_ms } from "../../wire/limits.ts";
import { openStore } from "../store/open-store.ts";
import { StoreFailed, StoreRefused } from "../store/refused.ts";
import type { Durability } from "../store/sqlite/receipt-store.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { runSteps, type Steps, step } from "../store/steps.ts";
import type { Head, ReceiptStore, Store } from "../store/store.ts";
import { newApprovalId } from "../transactions/ids.ts";
import { keyedHash } from "../transactions/keyed-hash.ts";
import { ChainedLedger } from "./append.ts";
import { receiptHash } from "./hash.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { parseReceipt } from "./parse-receipt.ts";
import type { EmbeddedLedger } from "./record.ts";
import { type NamedCall, ResendIndex } from "./resend-index.ts";
import { sealer } from "./sealing.ts";

/**
 * How far back a start looks for decisions that can still be asked for again. Only what was not answered is asked for
 * again, and an answer leaves right after its receipt: this covers 64 connections with all they may have in flight.
 */
export const maxRowsReadAtOpen = 64 * maxInFlightRequests;

export interface LedgerOptions {
  readonly durability: Durability;
  /** Refuse any other chain; null takes the one that is there. */
  readonly expectChain: string | null;
  readonly now_ms: number;
}

/** The newest receipt is what the next one links to: it must be whole, or the chain would go on from a forgery. */
function* checkedHead(store: ReceiptStore, place: string): Steps<Head> {
  const head = yield* step(store.head());
  if (head.seq === 0) return head;
  const row = yield* step(store.find(head.seq));
  const receipt = row === null ? null : parseReceipt(row.receipt);
  const isWhole = receipt?.seq === head.seq && receipt.chain === store.chain;
  if (row === null || !isWhole || receiptHash(row.receipt) !== head.hash) {
    throw new StoreRefused(
      "ledger_corrupt",
      `receipt ${head.seq} in ${place} is damaged; run interlock receipts verify`,
    );
  }
  return head;
}

interface Noted {
  readonly time_ms: number;
  readonly event: string;
  readonly session: string;
  readonly request: string;
  readonly phase: string;
  readonly call_id: string;
  readonly action: string;
}

interface Found {
  readonly session: string;
  readonly request: string;
  readonly seq: number;
  readonly call: NamedCall | null;
}

/** Little is checked here: what the index finds is judged from the receipt itself (find-decision.ts). */
const noted = (receipt: string): Partial<Noted> => {
  try {
    return (JSON.parse(receipt) as Partial<Noted> | null) ?? {};
  } catch {
    return {};
  }
};

/** Reads back, newest first, until the lease ends; then notes them in the order in which they were decided. */
function* rebuildIndex(store: ReceiptStore, now_ms: number): Steps<ResendIndex> {
  const found: Found[] = [];
  let stopped_seq = 0;
  for (const { seq, receipt } of yield* step(store.newest(maxRowsReadAtOpen))) {
    const { time_ms, event, session, request, phase, call_id, action } = noted(receipt);
    if (time_ms !== undefined && now_ms - time_ms > resendLease_ms) break;
    // The file of a stop may be gone by now, and its daemon with it: the chain knows that there was one.
    if (event === "stop_begun") stopped_seq = Math.max(stopped_seq, seq);
    if (typeof session !== "string" || typeof request !== "string") continue;
    const isNamed = phase === "call" && typeof call_id === "string" && typeof action === "string";
    found.push({ session, request, seq, call: isNamed ? { call_id, action } : null });
  }
  const index = new ResendIndex(stopped_seq);
  for (const { session, request, seq, call } of found.reverse()) index.note(session, request, seq, call);
  return index;
}

/**
 * The ledger of a store that is open, for its one writer. `key` seals what has to come back; `place` names the store in
 * refusals. Throws StoreRefused, one line, and closes the store.
 */
export function* ledgerOn(store: Store, key: Uint8Array, place: string, now_ms: number): Steps<ChainedLedger> {
  try {
    const head = yield* checkedHead(store, place);
    const seals = sealer(key);
    const answers = new KeptAnswers(store, seals, yield* step(store.keptBytes()));
    return new ChainedLedger({
      store,
      answers,
      index: yield* rebuildIndex(store, now_ms),
      settling: { ...seals, newApprovalId },
      keyedHash: (purpose) => keyedHash(key, purpose),
      head,
    });
  } catch (error) {
    yield* step(store.close());
    if (!(error instanceof StoreFailed)) throw error;
    throw new StoreRefused("store_unavailable", `cannot read ${place}: ${error.message}`);
  }
}

/**
 * Opens the ledger of a state directory for its one writer (hold the directory's lock first), created on the first
 * start. Throws StoreRefused, one line; nothing that exists is overwritten.
 */
export const openLedger = (directory: StateDirectory, options: LedgerOptions): EmbeddedLedger => {
  const { store, key } = openStore(directory, options.durability, options.expectChain);
  // An embedded store answers at once, and so does its ledger.
  return runSteps(ledgerOn(store, key, directory.ledgerPath, options.now_ms)) as EmbeddedLedger;
};
