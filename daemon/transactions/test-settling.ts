import type { ApprovalNeed, ApprovalScope } from "../contracts/policy.ts";
import { temporaryState } from "../ledger/test-state.ts";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import type { Steps } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import type { ApprovalRow, StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { type Ballot, castVote, type VoteOutcome } from "./approvals/vote.ts";
import { newApprovalId } from "./ids.ts";
import type { Intent, Plan, Reservation, ResumeOf, Settled, ShapeKey } from "./plan.ts";
import { settlePlan } from "./settle.ts";
import type { SettleDeps } from "./settle-deps.ts";

/** For tests: when everything begins, and the times of `intentOf` and `needOf`. */
export const start_ms = 1_000_000;
export const lease_ms = 60_000;
export const window_ms = 3_600_000;
export const needFor_ms = 600_000;

/** A seal that is none, and is bound to its place all the same. */
export const plainDeps: SettleDeps = {
  seal: (place, text) => Buffer.from(`${place}\n${text}`),
  open: (place, box) => {
    const text = Buffer.from(box).toString();
    return text.startsWith(`${place}\n`) ? text.slice(place.length + 1) : null;
  },
  newApprovalId,
  isStopped: () => false,
};

let made = 0;

/** A call of its own: another transaction id and call id each time, the same fingerprint and claim. */
export const intentOf = (changes: Partial<Intent> = {}): Intent => {
  made += 1;
  return {
    transaction_id: `tx_${String(made).padStart(22, "0")}`,
    call_id: `call-${made}`,
    action: "refund",
    principal: "agent-1",
    parent_principal: null,
    effect: "write",
    now_ms: start_ms,
    lease_ms,
    fingerprint: "fingerprint-1",
    claim: { key: "claim-1", content: "claim-1", window_ms },
    limits: [],
    rules: "sha256:aa",
    resumed_from: null,
    ...changes,
  };
};

export const needOf = (changes: Partial<ApprovalNeed> = {}): ApprovalNeed => ({
  policyId: "refund.over-500",
  reason: "over 500",
  attributedTo: "amount",
  by: "operator",
  roles: [],
  count: 1,
  expires_ms: needFor_ms,
  scopes: [{ kind: "once" }],
  ...changes,
});

export const limitOf = (changes: Partial<Reservation> = {}): Reservation => ({
  policyId: "refund.daily",
  reason: "1000 a day",
  attributedTo: "amount",
  counter: "counter-1",
  window_ms: 86_400_000,
  max: 1_000,
  amount: 400,
  members: null,
  ...changes,
});

interface AskOptions {
  readonly intent?: Intent;
  readonly needs?: readonly ApprovalNeed[];
  readonly shapes?: readonly ShapeKey[];
  readonly resume?: ResumeOf | null;
}

/** A database, and what the tests of this folder do with it. Each call is one store transaction. */
export interface Settling {
  readonly store: Store;
  settle(plan: Plan): Settled;
  authorize(intent?: Intent, resume?: ResumeOf): Settled;
  ask(options?: AskOptions): Settled;
  close(call_id: string | null, changes?: Partial<Extract<Plan, { kind: "close" }>>): Settled;
  fail(call_id: string | null, changes?: Partial<Extract<Plan, { kind: "fail" }>>): Settled;
  vote(approval_id: string, ballot?: Partial<Ballot>): VoteOutcome;
  run<T>(work: (tx: StoreTx) => Steps<T>): T;
  transaction(transaction_id: string): TransactionRow;
  approval(approval_id: string): ApprovalRow;
}

export const openSettling = (): Settling => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  const run = <T>(work: (tx: StoreTx) => Steps<T>): T => store.transact(work) as T;
  const settle = (plan: Plan): Settled => run((tx) => settlePlan(tx, plan, plainDeps));
  const found = <T>(row: T | null): T => {
    if (row === null) throw new Error("no such row");
    return row;
  };
  return {
    store,
    run,
    settle,
    authorize: (intent = intentOf(), resume) => settle({ kind: "authorize", intent, resume: resume ?? null }),
    ask: ({ intent = intentOf(), needs = [needOf()], shapes = [], resume = null } = {}) =>
      settle({ kind: "ask", intent, needs, shapes, resume, shown: '{"shown":true}' }),
    close: (call_id, changes = {}) =>
      settle({
        kind: "close",
        call_id: call_id ?? "",
        action: "refund",
        principal: "agent-1",
        now_ms: start_ms + 1,
        result: '{"ok":true}',
        ...changes,
      }),
    fail: (call_id, changes = {}) =>
      settle({
        kind: "fail",
        call_id: call_id ?? "",
        by: null,
        status: "failed",
        error_type: null,
        now_ms: start_ms + 1,
        ...changes,
      }),
    vote: (approval_id, ballot = {}) =>
      run((tx) =>
        castVote(tx, {
          approval_id,
          operator: { name: "olga", roles: ["refunds"] },
          answer: "grant",
          now_ms: start_ms + 1,
          ...ballot,
        }),
      ),
    transaction: (transaction_id) => found(store.reads.findTransaction(transaction_id) as TransactionRow | null),
    approval: (approval_id) => found(store.reads.findApproval(approval_id) as ApprovalRow | null),
  };
};

/** The id of the approval that a settled call waits for. */
export const pendingId = (settled: Settled): string => {
  if (settled.kind !== "pending") throw new Error(`it is ${settled.kind}`);
  return settled.approval_id;
};

export const exact: ApprovalScope = Object.freeze({ kind: "exact" });
