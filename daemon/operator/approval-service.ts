import type { ApprovalScope } from "../contracts/policy.ts";
import type { ControlRecord } from "../ledger/record.ts";
import { type Steps, step } from "../store/steps.ts";
import type { ApprovalFilter, ApprovalRow, StoreTx } from "../store/transaction-rows.ts";
import { isOver } from "../transactions/approvals/expire.ts";
import { revokeApproval } from "../transactions/approvals/revoke.ts";
import { needsOf, votesOf } from "../transactions/approvals/row-text.ts";
import { castVote, type VoteOutcome } from "../transactions/approvals/vote.ts";
import { type ApprovalView, approvalView } from "./approval-view.ts";
import { rowsInTurn } from "./limits.ts";
import { maskedCall } from "./masked-call.ts";
import type { Note, OperatorPlane } from "./operator-ledger.ts";
import { OperatorRefused } from "./refusal.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** What a yes is for. */
export interface Grant {
  readonly approval_id: string;
  readonly scope: ApprovalScope;
  /** Null: as long as the policy says. */
  readonly until_ms: number | null;
  readonly note: string | null;
}

/**
 * What operators do about approvals: the socket and the web page call this, and judge nothing themselves. Every change is one
 * store transaction with its receipt. Everything throws OperatorRefused; then nothing was changed.
 */
export class ApprovalService {
  readonly #plane: OperatorPlane;

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  /** With arguments, where they are not long. */
  list(filter: ApprovalFilter): Promise<readonly ApprovalView[]> {
    return storeOrRefused(async () => {
      const views: ApprovalView[] = [];
      for (const row of await this.#plane.ledger.reads.listApprovals(filter)) {
        views.push(await this.#view(row, "listed"));
        if (views.length % rowsInTurn === 0) await nextTurn();
      }
      return views;
    });
  }

  /** Which are pending, oldest first, and the version of each: what a watch compares. */
  pending(limit: number): Promise<ReadonlyMap<string, number>> {
    return storeOrRefused(async () => {
      const now_ms = this.#plane.now_ms();
      const rows = await this.#plane.ledger.reads.listApprovals({ status: "pending", limit });
      // The time of some is over, and nobody has written it down yet.
      return new Map(rows.filter((row) => !isOver(row, now_ms)).map((row) => [row.approval_id, row.version]));
    });
  }

  show(approval_id: string, length: "whole" | "listed" = "whole"): Promise<ApprovalView> {
    return storeOrRefused(async () => {
      const row = await this.#plane.ledger.reads.findApproval(approval_id);
      if (row === null) throw new OperatorRefused("not_found");
      return this.#view(row, length);
    });
  }

  /** One operator's yes. The view is still `pending` where more are needed. */
  grant(operator: Operator, { approval_id, scope, until_ms, note }: Grant): Promise<ApprovalView> {
    const now_ms = this.#plane.now_ms();
    const ballot = {
      approval_id,
      operator,
      answer: "grant" as const,
      scope,
      until_ms: until_ms ?? undefined,
      note: note ?? undefined,
      now_ms,
    };
    return this.#decide(
      approval_id,
      (tx) => castVote(tx, ballot),
      (row) => grantNote(row, operator),
      now_ms,
    );
  }

  /** One operator's no: it decides at once. */
  deny(operator: Operator, approval_id: string, note: string | null): Promise<ApprovalView> {
    const now_ms = this.#plane.now_ms();
    const ballot = { approval_id, operator, answer: "deny" as const, note: note ?? undefined, now_ms };
    return this.#decide(
      approval_id,
      (tx) => castVote(tx, ballot),
      (row) => ["approval_denied", `${row.approval_id} denied by operator:${operator.name}`],
      now_ms,
    );
  }

  /** Takes back a grant, or a request. */
  revoke(operator: Operator, approval_id: string): Promise<ApprovalView> {
    const now_ms = this.#plane.now_ms();
    return this.#decide(
      approval_id,
      (tx) => revokeApproval(tx, { approval_id, operator, now_ms }),
      (row) => ["approval_revoked", `${row.approval_id} revoked by operator:${operator.name}`],
      now_ms,
    );
  }

  #decide(
    approval_id: string,
    work: (tx: StoreTx) => Steps<VoteOutcome>,
    noteOf: (row: ApprovalRow) => readonly [ControlRecord["event"], string],
    now_ms: number,
  ): Promise<ApprovalView> {
    const rules = this.#plane.rules();
    return storeOrRefused(async () => {
      const outcome = await this.#plane.ledger.change(function* (tx: StoreTx, note: Note): Steps<VoteOutcome> {
        const before = yield* step(tx.findApproval(approval_id));
        const outcome = yield* work(tx);
        const said = outcome.ok ? noteOf(outcome.approval) : expiryNote(before, outcome.approval);
        if (said !== null) {
          const [event, detail] = said;
          yield* note({ time_ms: now_ms, event, rules, rules_before: rules, detail });
        }
        return outcome;
      });
      if (!outcome.ok) throw new OperatorRefused(outcome.code);
      return this.#view(outcome.approval, "whole");
    });
  }

  async #view(row: ApprovalRow, length: "whole" | "listed"): Promise<ApprovalView> {
    return approvalView(row, await maskedCall(this.#plane, row, length), this.#plane.now_ms());
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const grantNote = (row: ApprovalRow, { name }: Operator): readonly [ControlRecord["event"], string] => {
  if (row.status !== "granted") {
    const asked = needsOf(row).reduce((most, { count }) => Math.max(most, count), 1);
    return [
      "approval_voted",
      `${row.approval_id}: yes of operator:${name}, ${votesOf(row).length} of ${asked} or more`,
    ];
  }
  const until = new Date(row.granted_until_ms ?? row.expires_ms).toISOString();
  return ["approval_granted", `${row.approval_id} granted by operator:${name}, for ${row.scope}, until ${until}`];
};

/** A vote that came too late changed one thing: that its time is over is written down, once. */
const expiryNote = (
  before: ApprovalRow | null,
  after: ApprovalRow | null,
): readonly [ControlRecord["event"], string] | null =>
  after?.status === "expired" && before?.status !== "expired"
    ? ["approval_expired", `${after.approval_id} expired`]
    : null;
