import type { Maybe, Steps } from "./steps.ts";
import type { ReceiptStore } from "./store.ts";
import type { StoreTx, TransactionReads } from "./transaction-rows.ts";

type Answering<T> = {
  readonly [Key in keyof T]: T[Key] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Maybe<Answer>
    : T[Key];
};

/** A store of receipts as these tests use one: whether it answers at once or later. */
export type AnsweringReceipts = Answering<ReceiptStore>;

export type AnsweringStore = AnsweringReceipts & {
  transact<T>(work: (tx: StoreTx) => Steps<T>): Maybe<T>;
  readonly reads: TransactionReads;
};
