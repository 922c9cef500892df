import type { JsonValue } from "../../wire/value.ts";
import type { ClaimState } from "../transactions/status.ts";

/** Keyed hashes, one for each purpose: what stands in a row for arguments (transactions/keyed-hash.ts). */
export interface TransactionKeys {
  readonly fingerprint: (value: JsonValue) => string;
  readonly claim: (value: JsonValue) => string;
  readonly counter: (value: JsonValue) => string;
  /** A value that a limit counts once, and whose counter it is on. */
  readonly member: (value: JsonValue) => string;
  readonly shape: (value: JsonValue) => string;
}

/** What the engine is given for calls that have a contract or need a yes. Whatever it looks up may come later. */
export interface TransactionState {
  readonly keys: TransactionKeys;
  readonly newTransactionId: () => string;
  /** Has a call of this claim key run, or is it running? A look only: what is taken is taken when everything is satisfied. */
  readonly look: (claim_key: string, now_ms: number) => ClaimState | null | Promise<ClaimState | null>;
}

export const transactionKeys = (keyedHash: (purpose: string) => (value: JsonValue) => string): TransactionKeys =>
  Object.freeze({
    fingerprint: keyedHash("fingerprint"),
    claim: keyedHash("claim"),
    counter: keyedHash("counter"),
    member: keyedHash("member"),
    shape: keyedHash("shape"),
  });
