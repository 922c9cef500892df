import type { Steps } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { lookUpCallId } from "./call-id.ts";
import { lookUpClaim } from "./claim.ts";
import { lookUpLimits } from "./limits.ts";
import { standingGrant, strangerTo } from "./named-grant.ts";
import type { Plan, Settled } from "./plan.ts";
import { refuseAs } from "./refuse.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { settleWithoutGrant } from "./without-grant.ts";
import { writeAuthorized } from "./write.ts";

/** Every gate is satisfied. Where it resumes an approval, that one still has to stand, and is used up. */
export function* settleAuthorize(
  tx: StoreTx,
  { intent, resume }: Extract<Plan, { kind: "authorize" }>,
  deps: SettleDeps,
): Steps<Settled> {
  const stranger = yield* strangerTo(tx, intent, resume);
  if (stranger !== null) return yield* settleWithoutGrant(tx, intent, stranger);
  const claim = yield* lookUpClaim(tx, intent, deps);
  if (!claim.free) return claim.settled;
  const inUse = yield* lookUpCallId(tx, intent, resume, deps);
  if (inUse !== null) return inUse;
  const found = resume === null ? null : yield* standingGrant(tx, intent, resume, deps);
  if (found !== null && found.kind !== "grant") return yield* settleWithoutGrant(tx, intent, found);
  const exceeded = yield* lookUpLimits(tx, intent);
  if (exceeded !== null) return yield* refuseAs(tx, intent, exceeded.kind, exceeded);
  return yield* writeAuthorized(tx, intent, claim.lost, found?.grant ?? null, deps);
}
