import type { PrunableLedger } from "../ledger/pruning/prune.ts";
import type { ControlRecord } from "../ledger/record.ts";
import type { StopFile } from "../stops/stop-file.ts";
import type { Maybe, Steps } from "../store/steps.ts";
import type { StopRow } from "../store/stop-rows.ts";
import type { StoreTx, TransactionReads } from "../store/transaction-rows.ts";
import type { SurfaceKeeper } from "../surfaces/keeper.ts";

/** Appends to the chain, in the store transaction that it notes. */
export type Note = (record: ControlRecord) => Steps<void>;

/** What the operator plane needs of the ledger. Everything may throw StoreFailed. */
export interface OperatorLedger extends PrunableLedger {
  readonly reads: TransactionReads;
  /** One store transaction: the change and what is noted of it stand together, or neither does. */
  change<T>(work: (tx: StoreTx, note: Note) => Steps<T>): Maybe<T>;
  /** What was sealed for this place; null where there is nothing, or it does not open. */
  openBox(place: string, now_ms: number): Maybe<string | null>;
}

/** What the operator plane needs of the kill switch. Everything may reject with StoreFailed. */
export interface OperatorStops {
  readonly state: {
    readonly standing: readonly StopRow[];
    readonly unwritten: readonly StopRow[];
    readonly file: StopFile | null;
  };
  begin(by: string, reason: string): Promise<StopRow>;
  end(stop_id: string | null, by: string, reason: string): Promise<readonly StopRow[]>;
}

/** What the operator plane needs of what is known of MCP servers. */
export type OperatorSurfaces = Pick<SurfaceKeeper, "list" | "change">;

/** What the operator plane stands on. */
export interface OperatorPlane {
  readonly surfaces: OperatorSurfaces;
  readonly ledger: OperatorLedger;
  readonly stops: OperatorStops;
  readonly now_ms: () => number;
  /** Digest of the rules in force. */
  readonly rules: () => string;
  /** Arguments of an action whose values nobody is shown by today's rules, by path. */
  readonly redacted: (action: string) => readonly string[];
  /** Called once an operator's word on an unknown transaction is durable: others may wait for it. */
  readonly resolved: (transaction_id: string, as: "executed" | "failed") => void;
}
