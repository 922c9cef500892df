import { StoreFailed } from "../store/refused.ts";
import type { Head, NewReceipt, ReceiptStore, ServedVersion } from "../store/store.ts";
import { type DecisionReceiptWriter, decisionReceiptWriter } from "./decision-receipt.ts";
import { findDecision } from "./find-decision.ts";
import { argsCommitment, receiptHash } from "./hash.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { controlReceipt, NotRecordable } from "./receipt.ts";
import type {
  AppendResult,
  ControlRecord,
  DecisionRecord,
  FoundDecision,
  OpenLedger,
  ResendQuestion,
} from "./record.ts";
import type { ResendIndex } from "./resend-index.ts";
import { saltSource } from "./salts.ts";

/** One line for the caller; a text of our own, since another error's message could quote what it failed on. */
const lineOf = (error: unknown): string =>
  error instanceof StoreFailed || error instanceof NotRecordable ? error.message : "the receipt could not be written";

const failed = (error: unknown): AppendResult => ({ durable: false, error: lineOf(error) });

/**
 * The chain's one writer. The head moves only when the store has made the receipts durable; after any failure it is
 * read again from the store, so what a failed commit left behind is never guessed.
 */
export class ChainedLedger implements OpenLedger {
  readonly chain: string;
  readonly #store: ReceiptStore;
  readonly #answers: KeptAnswers;
  readonly #index: ResendIndex;
  readonly #salt = saltSource();
  readonly #write: DecisionReceiptWriter;
  #head: Head | null;

  constructor(store: ReceiptStore, answers: KeptAnswers, index: ResendIndex) {
    this.chain = store.chain;
    this.#store = store;
    this.#answers = answers;
    this.#index = index;
    this.#write = decisionReceiptWriter(store.chain);
    this.#head = store.head();
  }

  append(records: readonly DecisionRecord[]): readonly AppendResult[] {
    const [only] = records;
    if (only === undefined) return [];
    if (records.length === 1) return [this.#appendOne(only)];
    return this.#appendGroup(records);
  }

  appendControl(record: ControlRecord): AppendResult {
    try {
      const { seq: before, hash: prev } = this.#currentHead();
      const seq = before + 1;
      const receipt = controlReceipt(record, this.chain, { seq, prev });
      const hash = receiptHash(receipt);
      this.#store.insert({ seq, receipt, hash, salt: null, kept: null });
      this.#head = { seq, hash };
      return { durable: true, seq };
    } catch (error) {
      this.#head = null;
      return failed(error);
    }
  }

  remembersSession(session: string): boolean {
    return this.#index.knows(session);
  }

  findDecision(ask: ResendQuestion): FoundDecision | null {
    return findDecision(ask, this.#index, this.#store, this.#answers);
  }

  head(): Head {
    return this.#currentHead();
  }

  sweep(now_ms: number): number {
    return this.#answers.sweep(now_ms);
  }

  settle(): void {
    this.#store.settle();
  }

  served(ruleSet: string): ServedVersion | null {
    return this.#store.served(ruleSet);
  }

  recordServed(ruleSet: string, served: ServedVersion): void {
    this.#store.recordServed(ruleSet, served);
  }

  close(): void {
    this.#store.close();
  }

  #appendOne(record: DecisionRecord): AppendResult {
    try {
      const row = this.#seal(record, this.#currentHead());
      this.#store.insert(row);
      this.#stands(record, row);
      return { durable: true, seq: row.seq };
    } catch (error) {
      this.#head = null;
      return failed(error);
    }
  }

  /**
   * One transaction for all that can be recorded. Where the store refuses it, each is tried again in one of its own: a
   * row that the store does not take then fails alone, and a store that takes none fails them all.
   */
  #appendGroup(records: readonly DecisionRecord[]): readonly AppendResult[] {
    const results: AppendResult[] = [];
    const rows: NewReceipt[] = [];
    const places: number[] = [];
    try {
      let head = this.#currentHead();
      for (const [place, record] of records.entries()) {
        try {
          const row = this.#seal(record, head);
          rows.push(row);
          places.push(place);
          head = row;
        } catch (error) {
          results[place] = failed(error);
        }
      }
      if (rows.length > 0) this.#store.insertAll(rows);
    } catch {
      this.#head = null;
      return records.map((record) => this.#appendOne(record));
    }
    for (const [index, place] of places.entries()) results[place] = this.#stands(records[place]!, rows[index]!);
    return results;
  }

  #currentHead(): Head {
    this.#head ??= this.#store.head();
    return this.#head;
  }

  #seal(record: DecisionRecord, head: Head): NewReceipt {
    const seq = head.seq + 1;
    const salt = this.#salt();
    const receipt = this.#write(record, { seq, prev: head.hash }, argsCommitment(salt, record.argsCanonical));
    return { seq, receipt, hash: receiptHash(receipt), salt, kept: this.#answers.seal(seq, record) };
  }

  #stands(record: DecisionRecord, row: NewReceipt): AppendResult {
    this.#head = row;
    if (record.session !== null) this.#index.note(record.session, record.request, row.seq);
    return { durable: true, seq: row.seq };
  }
}
