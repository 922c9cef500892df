import { maxInFlightRequests, resendLease_ms } from "../../wire/limits.ts";
import { openStore } from "../store/open-store.ts";
import { StoreFailed, StoreRefused } from "../store/refused.ts";
import type { Durability } from "../store/sqlite/receipt-store.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import type { ReceiptStore } from "../store/store.ts";
import { ChainedLedger } from "./append.ts";
import { receiptHash } from "./hash.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { parseReceipt } from "./parse-receipt.ts";
import type { OpenLedger } from "./record.ts";
import { ResendIndex } from "./resend-index.ts";
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
const checkHead = (store: ReceiptStore, path: string): void => {
  const { seq, hash } = store.head();
  if (seq === 0) return;
  const row = store.find(seq);
  const receipt = row === null ? null : parseReceipt(row.receipt);
  if (row === null || receipt?.seq !== seq || receipt.chain !== store.chain || receiptHash(row.receipt) !== hash) {
    throw new StoreRefused("ledger_corrupt", `receipt ${seq} in ${path} is damaged; run interlock receipts verify`);
  }
};

interface Noted {
  readonly time_ms: number;
  readonly session: string;
  readonly request: string;
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
const rebuildIndex = (store: ReceiptStore, now_ms: number): ResendIndex => {
  const found: { session: string; request: string; seq: number }[] = [];
  for (const { seq, receipt } of store.newest(maxRowsReadAtOpen)) {
    const { time_ms, session, request } = noted(receipt);
    if (time_ms !== undefined && now_ms - time_ms > resendLease_ms) break;
    if (typeof session === "string" && typeof request === "string") found.push({ session, request, seq });
  }
  const index = new ResendIndex();
  for (const { session, request, seq } of found.reverse()) index.note(session, request, seq);
  return index;
};

/**
 * Opens the ledger of a state directory for its one writer (hold the directory's lock first), created on the first
 * start. Throws StoreRefused, one line; nothing that exists is overwritten.
 */
export const openLedger = (directory: StateDirectory, options: LedgerOptions): OpenLedger => {
  const { store, key } = openStore(directory, options.durability, options.expectChain);
  try {
    checkHead(store, directory.ledgerPath);
    return new ChainedLedger(store, new KeptAnswers(store, sealer(key)), rebuildIndex(store, options.now_ms));
  } catch (error) {
    store.close();
    if (!(error instanceof StoreFailed)) throw error;
    throw new StoreRefused("store_unavailable", `cannot read ${directory.ledgerPath}: ${error.message}`);
  }
};
