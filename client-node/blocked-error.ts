import type { Decision } from "./decision.ts";

/** The call did not run, or its result was not delivered. `decision` says why; its verdict is never ALLOW. */
export class BlockedError extends Error {
  override readonly name: string = "BlockedError";
  readonly decision: Decision;
  readonly action: string;

  constructor(decision: Decision, action: string, reason: string = decision.reason) {
    super(`blocked action '${action}': ${reason}`);
    this.decision = decision;
    this.action = action;
  }
}

/** The call needs a human's yes and did not get one. `decision` is the ESCALATE that asked for it. */
export class NotApprovedError extends BlockedError {
  override readonly name: string = "NotApprovedError";

  constructor(decision: Decision, action: string, why: string) {
    super(decision, action, decision.reason === "" ? why : `${decision.reason} (${why})`);
  }
}
