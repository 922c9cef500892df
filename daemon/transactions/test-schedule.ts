import { expect } from "vitest";
import { StoreFailed } from "../store/refused.ts";
import type { Steps } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import type { ApprovalRow, StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { revokeApproval } from "./approvals/revoke.ts";
import { castVote } from "./approvals/vote.ts";
import type { Intent, Plan, Reservation, ResumeOf, Settled } from "./plan.ts";
import { recover } from "./recover.ts";
import { resolveUnknown } from "./resolve-unknown.ts";
import { settlePlan } from "./settle.ts";
import { needOf, plainDeps } from "./test-settling.ts";

/** A seeded source of numbers below 1 (mulberry32), so that a schedule that fails can be run again. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const lease_ms = 1_000;
const requestFor_ms = 5_000;
const longer_ms = 1_000_000_000;
const maxSpent = 3;
/** Of schedules with an odd seed: so many different calls may run. */
const maxDifferent = 2;
const calls = [0, 1, 2, 3, 4] as const;
/** Its repeats are not looked for: nothing but its grants stand in the way of a second time. */
const unclaimed = 3;

/** A call that a client was told to run: whether it did, and whether its client still lives to say so. */
interface Running {
  readonly intent: Intent;
  readonly call: number;
  executed: boolean;
}

/**
 * One schedule: clients put calls, put them again, resume, run, report, die; operators grant, deny, revoke and settle
 * what is unknown; the clock moves; the store fails before a commit or after it. After each step, whatever happened:
 * nothing ran twice, a grant for one call let one through, no limit was passed, and what was let run had its yes.
 *
 * @param store may hold other schedules' rows: each has keys of its own
 */
export const runSchedule = async (store: Store, seed: number, steps = 60): Promise<void> => {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const isSpread = seed % 2 === 1;
  const different = (call: number): Reservation => ({
    policyId: "different",
    reason: "two at most",
    attributedTo: null,
    counter: `${seed}/different`,
    window_ms: longer_ms,
    max: maxDifferent,
    amount: 1,
    members: [`call-${call}`],
  });
  let now_ms = 1_000_000;
  let made = 0;
  const id = (kind: string): string => `${kind}_${seed}_${++made}`;
  const deps = { ...plainDeps, newApprovalId: () => id("ap") };

  const running: Running[] = [];
  /** Calls that a client was told to run, by their transaction. What dead clients hold stays here too. */
  const told: Running[] = [];
  const executions = new Map<number, number>();
  const resumable: (ResumeOf & { readonly call: number; readonly resumed_from: string })[] = [];
  const transactionIds: string[] = [];

  const fails = (): boolean => random() < 0.08;
  /** Null where it was not committed, or was and nobody heard of it. */
  const transact = async <T>(work: (tx: StoreTx) => Steps<T>): Promise<T | null> => {
    const failsBefore = fails();
    let done: T;
    try {
      done = await store.transact(function* (tx) {
        const value = yield* work(tx);
        if (failsBefore) throw new StoreFailed("the disk failed");
        return value;
      });
    } catch (error) {
      if (error instanceof StoreFailed && failsBefore) return null;
      throw error;
    }
    return fails() ? null : done;
  };

  const intentFor = (call: number, call_id: string, resumed_from: string | null): Intent => {
    const key = `${seed}/claim-${call}`;
    const transaction_id = id("tx");
    transactionIds.push(transaction_id);
    return {
      transaction_id,
      call_id,
      action: "refund",
      principal: "agent-1",
      parent_principal: null,
      effect: "write",
      now_ms,
      lease_ms,
      fingerprint: `${seed}/call-${call}`,
      claim: call === unclaimed ? null : { key, content: key, window_ms: longer_ms },
      limits: [
        {
          policyId: "p",
          reason: "three at most",
          attributedTo: null,
          counter: `${seed}/counter`,
          window_ms: longer_ms,
          max: maxSpent,
          amount: 1,
          members: null,
        },
        ...(isSpread ? [different(call)] : []),
      ],
      rules: "sha256:aa",
      resumed_from,
    };
  };

  /** Calls 0 and 1 need nobody; the others one or two operators. */
  const needsOf = (call: number) => [needOf({ count: call === 4 ? 2 : 1, expires_ms: requestFor_ms })];
  const planFor = (call: number, intent: Intent, resume: ResumeOf | null): Plan =>
    call < 2
      ? { kind: "authorize", intent, resume: null }
      : { kind: "ask", intent, needs: needsOf(call), shapes: [], resume, shown: "{}" };

  const put = async (call: number, intent: Intent, resume: ResumeOf | null): Promise<void> => {
    const settled = await transact((tx) => settlePlan(tx, planFor(call, intent, resume), deps));
    if (settled === null) return;
    if (settled.kind === "pending") {
      const { approval_id, transaction_id } = settled;
      resumable.push({ approval_id, call_id: intent.call_id as string, call, resumed_from: transaction_id });
    }
    if (settled.kind !== "authorized") return;
    const started = { intent, call, executed: false };
    running.push(started);
    told.push(started);
    expect((await store.reads.findTransaction(intent.transaction_id))?.status).toBe("authorized");
    if (call >= 2) await expectYes(settled, needsOf(call)[0]?.count ?? 1);
  };

  const expectYes = async ({ approval_id }: Extract<Settled, { kind: "authorized" }>, count: number): Promise<void> => {
    const approval = (await store.reads.findApproval(approval_id ?? "")) as ApprovalRow;
    const voters = (JSON.parse(approval.votes) as { operator: string }[]).map(({ operator }) => operator);
    expect(new Set(voters.filter((name) => name !== "agent-1")).size).toBeGreaterThanOrEqual(count);
    expect(approval).toMatchObject({ status: "used" });
  };

  const submit = (): Promise<void> => {
    const call = pick(calls) ?? 0;
    return put(call, intentFor(call, id("call"), null), null);
  };
  const resume = async (): Promise<void> => {
    const chosen = pick(resumable);
    if (chosen === undefined) return;
    const { call, call_id, approval_id, resumed_from } = chosen;
    await put(call, intentFor(call, call_id, resumed_from), { approval_id, call_id });
  };
  const execute = async (): Promise<void> => {
    const chosen = pick(running.filter(({ executed }) => !executed));
    if (chosen === undefined) return;
    chosen.executed = true;
    executions.set(chosen.call, (executions.get(chosen.call) ?? 0) + 1);
  };
  const report = async (): Promise<void> => {
    const chosen = pick(running);
    if (chosen === undefined) return;
    running.splice(running.indexOf(chosen), 1);
    const call_id = chosen.intent.call_id as string;
    const plan: Plan = chosen.executed
      ? { kind: "close", call_id, action: "refund", principal: "agent-1", now_ms, result: '{"ok":true}' }
      : { kind: "fail", call_id, by: null, status: "abandoned", error_type: null, now_ms };
    await transact((tx) => settlePlan(tx, plan, deps));
  };
  const die = async (): Promise<void> => {
    const chosen = pick(running);
    if (chosen !== undefined) running.splice(running.indexOf(chosen), 1);
  };
  const vote = async (): Promise<void> => {
    const chosen = pick(resumable);
    if (chosen === undefined) return;
    const name = pick(["olga", "omar", "agent-1", "fay"]) as string;
    const answer = random() < 0.85 ? "grant" : "deny";
    const { approval_id } = chosen;
    await transact((tx) => castVote(tx, { approval_id, operator: { name, roles: [] }, answer, now_ms }));
  };
  const revoke = async (): Promise<void> => {
    const approval_id = pick(resumable)?.approval_id;
    if (approval_id === undefined) return;
    await transact((tx) => revokeApproval(tx, { approval_id, operator: { name: "olga", roles: [] }, now_ms }));
  };
  const sweep = async (): Promise<void> => void (await transact((tx) => recover(tx, now_ms)));
  /** An operator who went and looked. A client that still runs it is asked first. */
  const settle = async (): Promise<void> => {
    const transaction_id = pick(transactionIds) as string;
    const found = told.find(({ intent }) => intent.transaction_id === transaction_id);
    if (found !== undefined && running.includes(found)) return;
    const outcome = found?.executed === true ? "executed" : "failed";
    await transact((tx) => resolveUnknown(tx, transaction_id, outcome, now_ms));
  };
  const wait = async (): Promise<void> => {
    now_ms += random() < 0.7 ? below(200) : below(2 * requestFor_ms);
  };

  const check = async (): Promise<void> => {
    for (const [call, count] of executions) if (call !== unclaimed) expect(count).toBeLessThanOrEqual(1);
    expect([...executions.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(maxSpent);
    if (isSpread) expect(executions.size).toBeLessThanOrEqual(maxDifferent);
  };
  const checkRows = async (): Promise<void> => {
    const rows = await Promise.all(transactionIds.map((each) => store.reads.findTransaction(each)));
    const ran = rows.filter(
      (row): row is TransactionRow =>
        row !== null && ["authorized", "executed", "failed", "unknown"].includes(row.status),
    );
    const grants = ran.map(({ approval_id }) => approval_id).filter((grant) => grant !== null);
    expect(new Set(grants).size).toBe(grants.length);
    // Whoever was told to run has a row, whatever became of it.
    const stored = new Set(ran.map(({ transaction_id }) => transaction_id));
    for (const { intent } of told) expect(stored.has(intent.transaction_id)).toBe(true);
    for (const call of calls) {
      const live = ran.filter((row) => row.claim_key === `${seed}/claim-${call}` && row.status !== "failed");
      expect(live.length).toBeLessThanOrEqual(1);
    }
  };

  const actions = [submit, submit, submit, resume, resume, execute, execute, report, die, vote, vote, revoke];
  const rarely = [sweep, settle, wait, wait];
  for (let step = 0; step < steps; step++) {
    await (random() < 0.75 ? pick(actions) : pick(rarely))?.();
    await check();
  }
  await checkRows();
};
