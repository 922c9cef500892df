import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { temporaryState } from "../ledger/test-state.ts";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import type { Steps } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { revokeApproval } from "./approvals/revoke.ts";
import { castVote } from "./approvals/vote.ts";
import type { Intent, ResumeOf } from "./plan.ts";
import { recover } from "./recover.ts";
import { settlePlan } from "./settle.ts";
import { needOf, plainDeps } from "./test-settling.ts";

const lease_ms = 10;
const window_ms = 40;
const requestFor_ms = 30;
const max = 4;

/** Four tools: a write, one that may run twice, a write that an operator approves, and that without repeats looked for. */
const tools = [
  { effect: "write", claimed: true, asks: false },
  { effect: "idempotent", claimed: true, asks: false },
  { effect: "write", claimed: true, asks: true },
  { effect: "write", claimed: false, asks: true },
] as const;

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("put" as const), tool: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("resume" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("close" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("grant" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deny" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke" as const), nth: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("recover" as const) }) },
);

interface Call {
  readonly tool: number;
  readonly call_id: string;
  status: "open" | "executed" | "failed" | "lost";
  readonly until: number;
  executedAt: number;
  /** Another call runs in its place: what becomes of it is its own, and answers nobody. */
  isReplaced: boolean;
}

interface Approval {
  readonly id: string;
  readonly tool: number;
  readonly call_ids: Set<string>;
  status: "pending" | "granted" | "denied" | "revoked" | "expired" | "used";
  until: number;
  usedBy: Call | null;
}

/** What is true of transactions, said as plainly as it can be: lists that are searched from the newest. */
class Model {
  now = 1_000;
  readonly calls: Call[] = [];
  readonly approvals: Approval[] = [];

  look(call: Call): string {
    if (call.status === "executed") return "replay";
    if (call.status === "failed") return "failed";
    return call.status === "open" && call.until > this.now ? "in_flight" : "outcome_unknown";
  }

  /** Marks what is over. */
  age(approval: Approval): Approval {
    const { status, until } = approval;
    if ((status === "pending" || status === "granted") && until <= this.now) approval.status = "expired";
    return approval;
  }

  repeatOf(tool: number): string | null {
    if (tools[tool]?.claimed !== true) return null;
    const holder = this.calls
      .filter((call) => call.tool === tool && call.status !== "failed" && !call.isReplaced)
      .at(-1);
    if (holder === undefined) return null;
    if (holder.status === "executed") return holder.executedAt + window_ms > this.now ? "replay" : null;
    const said = this.look(holder);
    return said === "outcome_unknown" && tools[tool]?.effect !== "write" ? null : said;
  }

  hasRoom(): boolean {
    return this.calls.filter(({ status }) => status !== "failed").length < max;
  }

  run(tool: number, call_id: string, grant: Approval | null): string {
    if (!this.hasRoom()) return "limit_exceeded";
    for (const lost of this.calls) if (lost.tool === tool && tools[tool]?.claimed === true) lost.isReplaced = true;
    const until = this.now + lease_ms;
    const call: Call = { tool, call_id, status: "open", until, executedAt: 0, isReplaced: false };
    this.calls.push(call);
    if (grant !== null) Object.assign(grant, { status: "used", usedBy: call });
    return "authorized";
  }

  put(tool: number, call_id: string): string {
    const repeat = this.repeatOf(tool);
    if (repeat !== null) return repeat;
    if (tools[tool]?.asks !== true) return this.run(tool, call_id, null);
    // Whether a no still stands is asked of its time alone: nothing marks it as over.
    const newest = this.approvals
      .filter((approval) => approval.tool === tool && ["pending", "granted", "denied"].includes(approval.status))
      .at(-1);
    if (newest?.status === "denied" && newest.until > this.now) return "approval_over denied";
    if (newest !== undefined && newest.status !== "denied") this.age(newest);
    if (newest?.status === "granted") return this.run(tool, call_id, newest);
    if (newest?.status === "pending") {
      newest.call_ids.add(call_id);
      return "pending";
    }
    return this.hasRoom() ? "pending new" : "limit_exceeded";
  }

  resume(approval: Approval, call_id: string): string {
    const { tool } = approval;
    if (!approval.call_ids.has(call_id)) return "approval_over other_call";
    const repeat = this.repeatOf(tool);
    if (repeat !== null) return repeat;
    const underWay = this.calls.find((call) => call.call_id === call_id && ["open", "lost"].includes(call.status));
    if (underWay !== undefined) return approval.usedBy === underWay ? this.look(underWay) : "call_id_in_use";
    const { status, usedBy } = this.age(approval);
    if (status === "used") {
      const said = usedBy === null ? "failed" : this.look(usedBy);
      return said === "failed" ? "approval_over used" : said;
    }
    if (status === "pending") return "pending";
    return status === "granted" ? this.run(tool, call_id, approval) : `approval_over ${status}`;
  }
}

const open = (): { readonly run: <T>(work: (tx: StoreTx) => Steps<T>) => T } => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  onTestFinished(() => void store.close());
  return { run: (work) => store.transact(work) as never };
};

test("calls, resumes, votes and the clock do what a plain model of them says", () => {
  const { run } = open();
  let round = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 5, maxLength: 60 }), (operations) => {
      round += 1;
      const model = new Model();
      const resumes: { readonly approval: Approval; readonly call_id: string }[] = [];
      let made = 0;
      const id = (kind: string): string => `${kind}_${round}_${++made}`;
      const deps = { ...plainDeps, newApprovalId: () => id("ap") };
      const settle = (tool: number, call_id: string, resume: ResumeOf | null): readonly [string, string | null] => {
        const { effect, claimed, asks } = tools[tool] as (typeof tools)[number];
        const key = `${round}/${tool}`;
        const intent: Intent = {
          transaction_id: id("tx"),
          call_id,
          action: "act",
          principal: "agent-1",
          parent_principal: null,
          effect,
          now_ms: model.now,
          lease_ms,
          fingerprint: key,
          claim: claimed ? { key, content: key, window_ms } : null,
          limits: [
            {
              policyId: "p",
              reason: "r",
              attributedTo: null,
              counter: `${round}`,
              window_ms: 1_000_000,
              max,
              amount: 1,
              members: null,
            },
          ],
          rules: "r",
          resumed_from: null,
        };
        const needs = [needOf({ expires_ms: requestFor_ms })];
        const settled = run((tx) =>
          settlePlan(
            tx,
            asks
              ? { kind: "ask", intent, needs, shapes: [], resume, shown: "{}" }
              : { kind: "authorize", intent, resume },
            deps,
          ),
        );
        const said = settled.kind === "approval_over" ? `approval_over ${settled.status}` : settled.kind;
        return [said, settled.kind === "pending" ? settled.approval_id : null];
      };

      for (const each of operations) {
        if (each.do === "put") {
          const call_id = id("call");
          const [said, approval_id] = settle(each.tool, call_id, null);
          const expected = model.put(each.tool, call_id);
          expect(said).toBe(expected.replace(" new", ""));
          if (expected === "pending new") {
            const until = model.now + requestFor_ms;
            const status = "pending" as const;
            expect(model.approvals.every((approval) => approval.id !== approval_id)).toBe(true);
            model.approvals.push({
              id: approval_id ?? "",
              tool: each.tool,
              call_ids: new Set([call_id]),
              status,
              until,
              usedBy: null,
            });
          }
          const joined = model.approvals.find((approval) => approval.id === approval_id);
          if (joined !== undefined) resumes.push({ approval: joined, call_id });
        } else if (each.do === "resume") {
          const chosen = resumes[each.nth % Math.max(1, resumes.length)];
          if (chosen === undefined) continue;
          const { approval, call_id } = chosen;
          const [said] = settle(approval.tool, call_id, { approval_id: approval.id, call_id });
          expect(said).toBe(model.resume(approval, call_id));
        } else if (each.do === "close" || each.do === "fail") {
          const call = model.calls[each.nth % Math.max(1, model.calls.length)];
          if (call === undefined) continue;
          const { call_id } = call;
          const now_ms = model.now;
          const plan =
            each.do === "close"
              ? ({ kind: "close", call_id, action: "act", principal: "agent-1", now_ms, result: "1" } as const)
              : ({ kind: "fail", call_id, by: null, status: "failed", error_type: null, now_ms } as const);
          const { kind } = run((tx) => settlePlan(tx, plan, deps));
          // A call id is of several calls where a grant for one was used again after it failed: the newest that is open.
          const underWay = model.calls.findLast(
            (one) => one.call_id === call_id && ["open", "lost"].includes(one.status),
          );
          expect(kind).toBe(underWay === undefined ? "unmatched" : "closed");
          if (underWay !== undefined) {
            underWay.status = each.do === "close" ? "executed" : "failed";
            underWay.executedAt = now_ms;
          }
        } else if (each.do === "grant" || each.do === "deny" || each.do === "revoke") {
          const approval = model.approvals[each.nth % Math.max(1, model.approvals.length)];
          if (approval === undefined) continue;
          const operator = { name: "olga", roles: [] };
          const ballot = { approval_id: approval.id, operator, now_ms: model.now };
          const outcome = run((tx) =>
            each.do === "revoke"
              ? revokeApproval(tx, ballot)
              : castVote(tx, { ...ballot, answer: each.do === "grant" ? "grant" : "deny" }),
          );
          const { status } = model.age(approval);
          const takes = each.do === "revoke" ? ["pending", "granted"] : ["pending"];
          const refusal = status === "expired" ? "expired" : "not_pending";
          const expected = takes.includes(status) ? "ok" : refusal;
          expect(outcome.ok ? "ok" : outcome.code).toBe(expected);
          if (!outcome.ok) continue;
          if (each.do === "grant") approval.until = model.now + requestFor_ms;
          approval.status = ({ grant: "granted", deny: "denied", revoke: "revoked" } as const)[each.do];
        } else if (each.do === "wait") {
          model.now += each.ms;
        } else {
          run((tx) => recover(tx, model.now));
          for (const call of model.calls) if (call.status === "open" && call.until <= model.now) call.status = "lost";
          for (const approval of model.approvals) model.age(approval);
        }
      }
    }),
    { numRuns: 300 },
  );
}, 120_000);
