import { BlockedError, NotApprovedError } from "../../../client-node/blocked-error.ts";
import type { EnforceOptions } from "../../../client-node/guard-options.ts";
import type { Permit } from "../../../client-node/permit.ts";
import { type Approval, askToResume, resumed } from "../../../client-node/resume-call.ts";
import { canonicalJson } from "../../../wire/canonical.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { maxAwaitedApprovals } from "../relay/limits.ts";

/**
 * Calls that an operator has to approve. An agent has no way to say "resume": where it makes exactly the same call again, the approval
 * that was asked for is asked about, and no new one is made.
 */
export class AwaitedApprovals {
  readonly #approvals = new Map<string, Approval>();

  /** The approval that this call waits for. */
  of(action: string, args: JsonObject | undefined): Approval | null {
    return this.#approvals.get(keyOf(action, args)) ?? null;
  }

  /** Permits the call where it is approved by now. @throws NotApprovedError, BlockedError, ReplayedError */
  async permit(action: string, args: JsonObject | undefined, enforce: EnforceOptions): Promise<Permit> {
    const key = keyOf(action, args);
    const approval = this.#approvals.get(key) as Approval;
    try {
      const permit = resumed(action, approval, await askToResume(action, approval, enforce));
      this.#approvals.delete(key);
      return permit;
    } catch (error) {
      // A daemon that gives no verdict has decided nothing.
      const isOpen =
        error instanceof NotApprovedError || (error instanceof BlockedError && error.decision.details === null);
      if (!isOpen) this.#approvals.delete(key);
      throw error;
    }
  }

  /** Only what an operator grants: of what the client itself may approve, asking would be saying yes. */
  remember(action: string, args: JsonObject | undefined, error: NotApprovedError): void {
    const { approvalId, callId, decision } = error;
    if (decision.details?.code !== "escalated_operator" || approvalId === null || callId === null) return;
    this.#approvals.set(keyOf(action, args), { approvalId, callId });
    if (this.#approvals.size <= maxAwaitedApprovals) return;
    const [oldest] = this.#approvals.keys();
    this.#approvals.delete(oldest as string);
  }
}

const keyOf = (action: string, args: JsonObject | undefined): string => canonicalJson([action, args ?? {}]);
