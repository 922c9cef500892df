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

  constructor(decision: Decision, action: string, why: string) {
    super(decision, action, decision.reason === "" ? why : `${decision.reason} (${why})`);
  }
}

sharedAcrossCopies(BlockedError, "blocked", ["blocked", "not approved"]);
sharedAcrossCopies(NotApprovedError, "not approved", ["not approved"]);

// A program that caught one has its class.
for (const shared of [BlockedError, NotApprovedError]) {
  Object.freeze(shared);
  Object.freeze(shared.prototype);
}
