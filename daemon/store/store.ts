import type { CheckpointReads } from "./checkpoint-rows.ts";
import type { Maybe, Steps } from "./steps.ts";
import type { StoreTx, TransactionReads } from "./transaction-rows.ts";

/**
 * What the ledger needs of a store. sqlite/ implements it and answers at once; postgres/ answers later. Both keep the same promises:
 *
 * 1. A method that returns (or resolves) has made its rows durable; one that throws (or rejects) has stored none of them.
 * 2. A sequence number is stored once. A second row with the same one throws, so a stale head can never fork a chain.
 * 3. Receipts are never updated or deleted. Only a salt and a kept box can be erased.
 */

/** What is stored of one receipt. `receipt` is the text that was hashed; `salt` lies beside it, so it can be erased. */
export interface ReceiptRow {
  readonly seq: number;
  readonly receipt: string;
  /** 64 hex digits: the hash of `receipt`. */
  readonly hash: string;
  /** 32 hex digits, of what was put (arguments or response); null for a control receipt, and once erased. */
  readonly salt: string | null;
  /** 32 hex digits, of what may run or be told instead; null where that is what was put, and once erased. */
  readonly final_salt: string | null;
}

/** The salts of a receipt, each of which can be erased alone. */
export type SaltName = "salt" | "final_salt";

/** A sealed answer that may be asked for again until `expires_ms`. */
export interface KeptRow {
  readonly expires_ms: number;
  readonly box: Uint8Array;
}

export interface NewReceipt extends ReceiptRow {
  readonly kept: KeptRow | null;
}

/** The newest receipt: what the next one links to. `seq` 0 and 64 zeros before the first. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** The version of a rule set that was last served, so that an older one is refused. */
export interface ServedVersion {
  readonly version: number;
  readonly digest: string;
}

export interface ReceiptStore {
  /** 32 hex digits, chosen when the store was created. */
  readonly chain: string;
  /** What was signed of the chain; whoever signs has a connection of its own (checkpoint-rows.ts). */
  readonly checkpoints: CheckpointReads;
  head(): Maybe<Head>;
  /** One receipt, alone. Throws StoreFailed. */
  insert(receipt: NewReceipt): Maybe<void>;
  /** All or none, in order; an embedded store has a quicker way for receipts alone than a transaction. Throws StoreFailed. */
  insertAll(receipts: readonly NewReceipt[]): Maybe<void>;
  /**
   * Moves what is durable in a journal to where it stays. To be called now and then; a store without a journal has nothing
   * to move. Throws StoreFailed; nothing is lost.
   */
  settle(): Maybe<void>;
  find(seq: number): Maybe<ReceiptRow | null>;
  /** The newest receipts, newest first. */
  newest(count: number): Maybe<IterableIterator<ReceiptRow>>;
  findKept(seq: number): Maybe<KeptRow | null>;
  /** Deletes kept boxes that expired, or that expire later than any made now could (the clock went back). */
  deleteKept(now_ms: number, longest_ms: number): Maybe<number>;
  /** What all kept boxes take together. */
  keptBytes(): Maybe<number>;
  served(ruleSet: string): Maybe<ServedVersion | null>;
  recordServed(ruleSet: string, served: ServedVersion): Maybe<void>;
  close(): Maybe<void>;
}

/** Where transactions, approvals and claims are kept: in the same store as the receipts, so that both are written together. */
export interface TransactionStore {
  /**
   * Runs steps in one transaction: all that they write is durable when it returns, or nothing is. Where it lost against
   * another daemon's, `work` is run again from its start: it asks the store first and changes nothing else. Throws what
   * the steps throw, and StoreFailed.
   */
  transact<T>(work: (tx: StoreTx) => Steps<T>): Maybe<T>;
  /** What stands now, outside of any transaction. */
  readonly reads: TransactionReads;
}

/** Everything that is kept. */
export type Store = ReceiptStore & TransactionStore;

/** A store in this process: it answers at once. */
export interface EmbeddedStore extends ReceiptStore, TransactionStore {
  transact<T>(work: (tx: StoreTx) => Steps<T>): T;
  head(): Head;
  insert(receipt: NewReceipt): void;
  insertAll(receipts: readonly NewReceipt[]): void;
  settle(): void;
  find(seq: number): ReceiptRow | null;
  newest(count: number): IterableIterator<ReceiptRow>;
  findKept(seq: number): KeptRow | null;
  deleteKept(now_ms: number, longest_ms: number): number;
  keptBytes(): number;
  served(ruleSet: string): ServedVersion | null;
  recordServed(ruleSet: string, served: ServedVersion): void;
  close(): void;
}
