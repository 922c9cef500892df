import { canonical } from "../../wire/canonical.ts";
import type { JsonObject } from "../../wire/value.ts";
import type { ApprovalNeed } from "../contracts/policy.ts";
import type { ControlRecord } from "../ledger/record.ts";
import { StoreFailed } from "../store/refused.ts";
import { runSteps, step } from "../store/steps.ts";
import type { ApprovalRow, StoreTx, TransactionReads, TransactionRow } from "../store/transaction-rows.ts";
import { noSurfaces } from "../surfaces/surfaces.testkit.ts";
import { argsPlace } from "../transactions/places.ts";
import type { OperatorPlane } from "./operator-ledger.ts";

/** Nothing is stopped, and nobody stops anything. */
export const noStops: OperatorPlane["stops"] = Object.freeze({
  state: Object.freeze({ standing: [], unwritten: [], file: null }),
  begin: () => Promise.reject(new TypeError("nobody stops anything here")),
  end: () => Promise.reject(new TypeError("nobody ends a stop here")),
});

/** For tests: rows in memory, each change whole or not at all, and what was noted of it. */
export class MemoryPlane implements OperatorPlane {
  approvals = new Map<string, ApprovalRow>();
  transactions = new Map<string, TransactionRow>();
  noted: ControlRecord[] = [];
  readonly boxes = new Map<string, string>();
  time_ms = 1_000_000;
  isAway = false;
  redactedPaths: readonly string[] = [];
  rulesNow = "sha256:rules";

  now_ms = (): number => this.time_ms;
  rules = (): string => this.rulesNow;
  readonly told: [transaction_id: string, as: string][] = [];
  resolved = (transaction_id: string, as: "executed" | "failed"): void => void this.told.push([transaction_id, as]);
  redacted = (): readonly string[] => this.redactedPaths;

  readonly stops = noStops;
  readonly surfaces = noSurfaces().keeper;

  readonly ledger: OperatorPlane["ledger"] = {
    reads: this.#reads(),
    change: (work) => {
      this.#assertThere();
      const before = { approvals: new Map(this.approvals), transactions: new Map(this.transactions) };
      const noted: ControlRecord[] = [];
      const note = function* (record: ControlRecord) {
        yield* step(void noted.push(record));
      };
      try {
        const answer = runSteps(work(this.#tx(), note));
        this.noted.push(...noted);
        return answer;
      } catch (error) {
        Object.assign(this, before);
        throw error;
      }
    },
    openBox: (place) => this.boxes.get(place) ?? null,
    chain: "0".repeat(32),
    head: () => ({ seq: 0, hash: "0".repeat(64) }),
    checkpoints: {
      newest: () => null,
      find: () => null,
      through: () => null,
      mark: () => null,
      hashes: () => new Uint8Array(),
      leaves: () => new Uint8Array(),
    },
    find: () => null,
  };

  /** A request that waits; `args` as they will run. */
  ask(
    row: Partial<ApprovalRow> & Pick<ApprovalRow, "approval_id">,
    args: JsonObject = {},
    redact: readonly string[] = [],
  ): ApprovalRow {
    const whole = { ...approvalRow(this.time_ms), ...row };
    const { action, principal, parent_principal } = whole;
    this.approvals.set(whole.approval_id, whole);
    this.boxes.set(argsPlace(whole.approval_id), canonical({ action, args, parent_principal, principal, redact }));
    return whole;
  }

  #assertThere(): void {
    if (this.isAway) throw new StoreFailed("the store is away");
  }

  #reads(): TransactionReads {
    const there = <T>(read: () => T): T => {
      this.#assertThere();
      return read();
    };
    return {
      findTransaction: (id) => there(() => this.transactions.get(id) ?? null),
      findApproval: (id) => there(() => this.approvals.get(id) ?? null),
      findClaim: () => null,
      listApprovals: ({ status, limit }) =>
        there(() =>
          [...this.approvals.values()].filter((row) => status === "all" || row.status === status).slice(0, limit),
        ),
      listTransactions: ({ status, limit }) =>
        there(() =>
          [...this.transactions.values()]
            .filter((row) => status === "all" || row.status === status)
            .reverse()
            .slice(0, limit),
        ),
      stops: () => [],
      findDocument: () => null,
      listDocuments: () => [],
      documentVersions: () => [],
      findBox: (place) =>
        there(() => {
          const text = this.boxes.get(place);
          return text === undefined ? null : Buffer.from(text);
        }),
    };
  }

  #tx(): StoreTx {
    const never = (): never => {
      throw new Error("operators do not do this");
    };
    return {
      ...this.#reads(),
      changeApproval: (id, version, change) => {
        const row = this.approvals.get(id);
        if (row?.version !== version) return false;
        this.approvals.set(id, { ...row, ...change, version: version + 1 });
        return true;
      },
      changeTransaction: (id, from, change) => {
        const row = this.transactions.get(id);
        if (row === undefined || !from.includes(row.status)) return false;
        this.transactions.set(id, { ...row, ...change });
        return true;
      },
      changeAskers: (id, change) => {
        for (const row of this.transactions.values()) {
          if (row.approval_id === id && row.status === "pending_approval" && row.resumed_by === null)
            this.transactions.set(row.transaction_id, { ...row, ...change });
        }
      },
      changeClaim: () => true,
      releaseClaim: () => true,
      releaseSpending: () => undefined,
      insertReceipts: never,
      claim: never,
      insertTransaction: never,
      openTransaction: never,
      hasAsked: never,
      overdueTransactions: never,
      insertApproval: never,
      approvalFor: never,
      standingGrants: never,
      overdueApprovals: never,
      spent: never,
      spend: never,
      spread: never,
      putBox: never,
      isStopped: never,
      beginStop: never,
      endStop: never,
      useToken: never,
      prune: never,
      deleteExpired: never,
      putDocument: never,
      keepDocument: never,
      deleteDocument: never,
    };
  }
}

export const need = (more: Partial<ApprovalNeed> = {}): ApprovalNeed => ({
  policyId: "refund.ceiling",
  reason: "refunds over 500 need a person",
  attributedTo: "amount",
  by: "operator",
  roles: [],
  count: 1,
  expires_ms: 3_600_000,
  scopes: [{ kind: "once" }],
  ...more,
});

export const approvalId = (name: string): string => `ap_${name.padEnd(22, "A")}`;
export const transactionId = (name: string): string => `tx_${name.padEnd(22, "A")}`;

const approvalRow = (now_ms: number): ApprovalRow => ({
  approval_id: approvalId("one"),
  version: 1,
  status: "pending",
  action: "refund",
  principal: "agent-1",
  parent_principal: null,
  call_id: "call-1",
  transaction_id: transactionId("asked"),
  fingerprint: "f".repeat(64),
  reason: "refunds over 500 need a person",
  needs: JSON.stringify([need()]),
  shapes: "[]",
  votes: "[]",
  rules: "sha256:rules",
  requested_ms: now_ms,
  expires_ms: now_ms + 3_600_000,
  scope: null,
  match_key: null,
  granted_until_ms: null,
  changed_ms: now_ms,
  decided_by: null,
  used_by: null,
});

export const transactionRow = (more: Partial<TransactionRow> = {}): TransactionRow => ({
  transaction_id: transactionId("one"),
  status: "unknown",
  call_id: "call-1",
  action: "refund",
  principal: "agent-1",
  parent_principal: null,
  effect: "write",
  fingerprint: "f".repeat(64),
  claim_key: "c".repeat(64),
  claim_window_ms: 1000,
  approval_id: null,
  resumed_from: null,
  resumed_by: null,
  rules: "sha256:rules",
  created_ms: 1,
  lease_until_ms: 2,
  changed_ms: 3,
  error_type: null,
  ...more,
});
