import type { Decision } from "./decision.ts";
import { sharedAcrossCopies } from "./error-brand.ts";
import { oneLine } from "./one-line.ts";

/** The call did not run, or its result was not delivered. `decision` says why; its verdict is never ALLOW. */
export class BlockedError extends Error {
  override readonly name: string = "BlockedError";
  readonly decision: Decision;
  /** As it was asked for; in the message it is one line. */
  readonly action: string;

  constructor(decision: Decision, action: string, reason: string = decision.reason) {
    super(`blocked action '${oneLine(action)}': ${reason}`);
    this.decision = decision;
    this.action = action;
  }
}

/** The call needs a human's yes and did not get one. `decision` is the ESCALATE that asked for it. */
export class NotApprovedError extends BlockedError {
  override readonly name: string = "NotApprovedError";
  /** The approval that the daemon keeps for this call; null where it keeps none. With the call id it is resumed once it is granted. */
  readonly approvalId: string | null;
  /** The id that the call was put under; null where it had none. */
  readonly callId: string | null;

  constructor(decision: Decision, action: string, why: string, callId: string | null = null) {
    super(decision, action, decision.reason === "" ? why : `${decision.reason} (${why})`);
    this.approvalId = decision.details?.approval_id ?? null;
    this.callId = callId;
  }
}

/** The same call ran before, and is not run again. `decision` is the BLOCK that says so. */
export class ReplayedError extends BlockedError {
  override readonly name: string = "ReplayedError";
  /** What the call that ran delivered, as the result rules left it. */
  readonly result: unknown;
  /** The transaction of the call that ran. */
  readonly transactionId: string;

  constructor(decision: Decision, action: string, result: unknown, transactionId: string) {
    super(decision, action);
    this.result = result;
    this.transactionId = transactionId;
  }
}

sharedAcrossCopies(BlockedError, "blocked", ["blocked", "not approved", "replayed"]);
sharedAcrossCopies(NotApprovedError, "not approved", ["not approved"]);
sharedAcrossCopies(ReplayedError, "replayed", ["replayed"]);

// A program that caught one has its class.
for (const shared of [BlockedError, NotApprovedError, ReplayedError]) {
  Object.freeze(shared);
  Object.freeze(shared.prototype);
}
