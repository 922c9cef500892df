import type { CheckpointReads } from "../store/checkpoint-rows.ts";
import { type Maybe, runSteps, type Steps, step, whenDone } from "../store/steps.ts";
import type { Head, NewReceipt, ReceiptRow, ServedVersion, Store } from "../store/store.ts";
import type { StoreTx, TransactionReads } from "../store/transaction-rows.ts";
import type { Settled } from "../transactions/plan.ts";
import { settlePlan } from "../transactions/settle.ts";
import type { SettleDeps } from "../transactions/settle-deps.ts";
import { commitmentsOf, saltsFor } from "./commitments.ts";
import { type DecisionReceiptWriter, decisionReceiptWriter } from "./decision-receipt.ts";
import { failed, notDurable } from "./failed.ts";
import { findDecision } from "./find-decision.ts";
import { receiptHash } from "./hash.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { controlReceipt } from "./receipt.ts";
import type {
  AppendResult,
  CommitResult,
  ControlRecord,
  DecisionRecord,
  Entry,
  FoundDecision,
  OpenLedger,
  ResendQuestion,
} from "./record.ts";
import type { NamedCall, ResendIndex } from "./resend-index.ts";
import { saltSource } from "./salts.ts";
import { type CapturedBox, capturedBox, type Sealed, writeSealed } from "./sealed.ts";
import { Turns } from "./turns.ts";

/** What a ledger is made of: a store that is open, and what was read of it. */
export interface LedgerParts {
  readonly store: Store;
  readonly answers: KeptAnswers;
  readonly index: ResendIndex;
  readonly settling: Omit<SettleDeps, "isStopped">;
  readonly keyedHash: OpenLedger["keyedHash"];
  readonly head: Head;
}

/** A decision that is to be written, or that is none yet; and how its plan was settled. */
interface Decided {
  readonly planned: boolean;
  readonly settled: Settled | null;
  readonly record: DecisionRecord | null;
}

/** `nobody_knows`: the store failed, and does not say what it has. */
type Tried =
  | { readonly outcome: "stands"; readonly results: readonly CommitResult[] }
  | { readonly outcome: "refused" | "nobody_knows"; readonly error: unknown };

/**
 * The chain's one writer. The head moves only when the store has made the receipts durable; after any failure it is
 * read again from the store, so what a failed commit left behind is never guessed.
 */
export class ChainedLedger implements OpenLedger {
  readonly chain: string;
  readonly reads: TransactionReads;
  readonly checkpoints: CheckpointReads;
  readonly keyedHash: OpenLedger["keyedHash"];
  readonly #store: Store;
  readonly #answers: KeptAnswers;
  readonly #index: ResendIndex;
  readonly #settling: SettleDeps;
  isStopped = (): boolean => false;
  readonly #salt = saltSource();
  readonly #write: DecisionReceiptWriter;
  readonly #turns = new Turns();
  #head: Head | null;
  #seq: number;
  /** What the store was given last. */
  #given: Sealed | null = null;

  constructor({ store, answers, index, settling, keyedHash, head }: LedgerParts) {
    this.chain = store.chain;
    this.reads = store.reads;
    this.checkpoints = store.checkpoints;
    this.keyedHash = keyedHash;
    this.#store = store;
    this.#answers = answers;
    this.#index = index;
    this.#settling = { ...settling, isStopped: () => this.isStopped() };
    this.#write = decisionReceiptWriter(store.chain);
    this.#head = head;
    this.#seq = head.seq;
  }

  commit(entries: readonly Entry[]): Maybe<readonly CommitResult[]> {
    return entries.length === 0 ? [] : this.#turns.take(() => runSteps(this.#commitAll(entries)));
  }

  append(records: readonly DecisionRecord[]): Maybe<readonly AppendResult[]> {
    const entries = records.map((record): Entry => ({ plan: null, record: () => record }));
    return whenDone(this.commit(entries), (results) => results.map(appended));
  }

  appendControl(record: ControlRecord): Maybe<AppendResult> {
    return this.#turns.take(() => runSteps(this.#appendControl(record)));
  }

  change<T>(work: (tx: StoreTx, note: (record: ControlRecord) => Steps<void>) => Steps<T>): Maybe<T> {
    return this.#turns.take(() => runSteps(this.#change(work)));
  }

  openBox(place: string, now_ms: number): Maybe<string | null> {
    return whenDone(this.reads.findBox(place, now_ms), (box) =>
      box === null ? null : this.#settling.open(place, box),
    );
  }

  remembersSession(session: string): boolean {
    return this.#index.knows(session);
  }

  decidedCall(session: string, call: NamedCall): number | null {
    return this.#index.findCall(session, call);
  }

  findDecision(ask: ResendQuestion): Maybe<FoundDecision | null> {
    return findDecision(ask, this.#index, this.#store, this.#answers);
  }

  find(seq: number): Maybe<ReceiptRow | null> {
    return this.#store.find(seq);
  }

  head(): Maybe<Head> {
    return this.#head ?? this.#store.head();
  }

  receipts(): number {
    return this.#seq;
  }

  sweep(now_ms: number): Maybe<number> {
    return this.#answers.sweep(now_ms);
  }

  settle(): Maybe<void> {
    return this.#store.settle();
  }

  served(ruleSet: string): Maybe<ServedVersion | null> {
    return this.#store.served(ruleSet);
  }

  recordServed(ruleSet: string, served: ServedVersion): Maybe<void> {
    return this.#store.recordServed(ruleSet, served);
  }

  close(): Maybe<void> {
    return this.#store.close();
  }

  /**
   * One transaction for all that can be recorded. Where the store refuses it, each is tried again in one of its own: an
   * entry that the store does not take then fails alone, and a store that takes none fails them all.
   */
  *#commitAll(entries: readonly Entry[]): Steps<readonly CommitResult[]> {
    const together = yield* this.#try(entries);
    if (together.outcome === "stands") return together.results;
    const { error } = together;
    if (together.outcome === "nobody_knows" || entries.length === 1) return entries.map(() => notDurable(error));
    const results: CommitResult[] = [];
    for (const entry of entries) {
      const alone = yield* this.#try([entry]);
      results.push(...(alone.outcome === "stands" ? alone.results : [notDurable(alone.error)]));
    }
    return results;
  }

  *#try(entries: readonly Entry[]): Steps<Tried> {
    this.#given = null;
    try {
      return { outcome: "stands", results: yield* this.#commitTogether(entries) };
    } catch (error) {
      this.#head = null;
      return yield* this.#afterFailure(error);
    }
  }

  /**
   * What was given to a store that failed may stand all the same, its answer lost: to try it again would decide it twice.
   * Nobody else writes this chain, so then the head is the last of what was given, and everything with it stands.
   */
  *#afterFailure(error: unknown): Steps<Tried> {
    const given = this.#given;
    const last = given?.rows.at(-1);
    if (given === null || last === undefined) return { outcome: "refused", error };
    try {
      const { hash } = yield* step(this.#store.head());
      if (hash !== last.hash) return { outcome: "refused", error };
    } catch {
      return { outcome: "nobody_knows", error };
    }
    this.#stands(given);
    return { outcome: "stands", results: given.results };
  }

  *#commitTogether(entries: readonly Entry[]): Steps<readonly CommitResult[]> {
    const before = this.#head ?? (yield* step(this.#store.head()));
    let sealed: Sealed;
    if (entries.every(({ plan }) => plan === null)) {
      sealed = this.#seal(entries.map(unplanned), before);
      this.#given = sealed;
      const [only] = sealed.rows;
      if (sealed.boxes.length > 0) {
        yield* step(this.#store.transact((tx) => writeSealed(tx, sealed)));
      } else if (only !== undefined) {
        const stored = sealed.rows.length === 1 ? this.#store.insert(only) : this.#store.insertAll(sealed.rows);
        if (stored instanceof Promise) yield* step(stored);
      }
    } else {
      sealed = yield* step(this.#store.transact((tx) => this.#settleAll(tx, entries, before)));
    }
    this.#stands(sealed);
    return sealed.results;
  }

  /** Plans in the order in which they came, each seeing what the ones before it wrote; then all receipts. */
  *#settleAll(tx: StoreTx, entries: readonly Entry[], before: Head): Steps<Sealed> {
    const decided: Decided[] = [];
    for (const entry of entries) {
      const settled = entry.plan === null ? null : yield* settlePlan(tx, entry.plan, this.#settling);
      decided.push({ planned: entry.plan !== null, settled, record: entry.record(settled) });
    }
    const sealed = this.#seal(decided, before);
    this.#given = sealed;
    yield* writeSealed(tx, sealed);
    return sealed;
  }

  *#appendControl(record: ControlRecord): Steps<AppendResult> {
    try {
      const row = this.#control(record, this.#head ?? (yield* step(this.#store.head())));
      yield* step(this.#store.insert(row));
      this.#head = row;
      this.#seq = row.seq;
      return { durable: true, seq: row.seq };
    } catch (error) {
      this.#head = null;
      return failed(error);
    }
  }

  *#change<T>(work: (tx: StoreTx, note: (record: ControlRecord) => Steps<void>) => Steps<T>): Steps<T> {
    const before = this.#head ?? (yield* step(this.#store.head()));
    try {
      const changed = yield* step(
        this.#store.transact((tx) => {
          // Begun anew each time that the store runs the transaction again.
          const rows: NewReceipt[] = [];
          const note = (record: ControlRecord): Steps<void> => {
            rows.push(this.#control(record, rows.at(-1) ?? before));
            return done();
          };
          return noted(work(tx, note), tx, rows, before);
        }),
      );
      this.#head = changed.head;
      this.#seq = changed.head.seq;
      return changed.value;
    } catch (error) {
      this.#head = null;
      throw error;
    }
  }

  #seal(decided: readonly Decided[], before: Head): Sealed {
    const results: CommitResult[] = [];
    const rows: NewReceipt[] = [];
    const records: DecisionRecord[] = [];
    const boxes: CapturedBox[] = [];
    let head = before;
    for (const { planned, settled, record } of decided) {
      if (record === null) {
        results.push({ outcome: "undecided", settled });
        continue;
      }
      try {
        const row = this.#receipt(record, head);
        if (record.capture !== null) boxes.push(capturedBox(this.chain, row.seq, record.capture, this.#settling));
        rows.push(row);
        records.push(record);
        results.push({ outcome: "durable", seq: row.seq, settled });
        head = row;
      } catch (error) {
        // What its plan wrote may not stand without a receipt: the transaction is given up, and each is tried alone.
        if (planned) throw error;
        results.push(notDurable(error));
      }
    }
    return { results, rows, records, boxes };
  }

  #stands({ rows, records }: Sealed): void {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as NewReceipt;
      const { session, request, phase, call_id, action } = records[at] as DecisionRecord;
      this.#head = row;
      this.#seq = row.seq;
      if (session === null) continue;
      const isNamed = phase === "call" && call_id !== null;
      this.#index.note(session, request, row.seq, isNamed ? { call_id, action } : null);
    }
  }

  #receipt(record: DecisionRecord, head: Head): NewReceipt {
    const seq = head.seq + 1;
    const salts = saltsFor(record, this.#salt);
    const receipt = this.#write(record, { seq, prev: head.hash }, commitmentsOf(record, salts));
    return { seq, receipt, hash: receiptHash(receipt), ...salts, kept: this.#answers.seal(seq, record) };
  }

  #control(record: ControlRecord, head: Head): NewReceipt {
    const seq = head.seq + 1;
    const receipt = controlReceipt(record, this.chain, { seq, prev: head.hash });
    return { seq, receipt, hash: receiptHash(receipt), salt: null, final_salt: null, kept: null };
  }
}

const unplanned = (entry: Entry): Decided => ({ planned: false, settled: null, record: entry.record(null) });

const appended = (result: CommitResult): AppendResult => {
  switch (result.outcome) {
    case "durable":
      return { durable: true, seq: result.seq };
    case "undecided":
      return { durable: false, error: "nothing was decided" };
    case "not_durable":
      return { durable: false, error: result.error };
  }
};

/** A step that is done: what is noted is written when the work has ended. */
function* done(): Steps<void> {}

function* noted<T>(
  work: Steps<T>,
  tx: StoreTx,
  rows: readonly NewReceipt[],
  before: Head,
): Steps<{ readonly value: T; readonly head: Head }> {
  const value = yield* work;
  yield* step(tx.insertReceipts(rows));
  return { value, head: rows.at(-1) ?? before };
}
