import type { Steps } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { lookUpCallId } from "./call-id.ts";
import { lookUpClaim } from "./claim.ts";
import { grantFor } from "./grants.ts";
import { lookUpLimits } from "./limits.ts";
import { namedGrant, strangerTo } from "./named-grant.ts";
import type { Plan, Settled } from "./plan.ts";
import { refuseAs } from "./refuse.ts";
import { openRequest } from "./request.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { settleWithoutGrant } from "./without-grant.ts";
import { writeAuthorized } from "./write.ts";

/**
 * Nothing blocked it, and somebody has to say yes. A grant that fits what the rules ask for today lets it run; else a
 * request is found or made. A limit blocks before anybody is asked: a no of the rules outranks a person's yes.
 */
export function* settleAsk(
  tx: StoreTx,
  { intent, resume, ...asked }: Extract<Plan, { kind: "ask" }>,
  deps: SettleDeps,
): Steps<Settled> {
  const stranger = yield* strangerTo(tx, intent, resume);
  if (stranger !== null) return yield* settleWithoutGrant(tx, intent, stranger);
  const claim = yield* lookUpClaim(tx, intent, deps);
  if (!claim.free) return claim.settled;
  const inUse = yield* lookUpCallId(tx, intent, resume, deps);
  if (inUse !== null) return inUse;
  const found =
    resume === null ? yield* grantFor(tx, intent, asked) : yield* namedGrant(tx, intent, resume, asked, deps);
  if (found.kind === "pending" || found.kind === "over") return yield* settleWithoutGrant(tx, intent, found);
  const exceeded = yield* lookUpLimits(tx, intent);
  if (exceeded !== null) return yield* refuseAs(tx, intent, exceeded.kind, exceeded);
  if (found.kind === "none") return yield* openRequest(tx, intent, asked, found.instead, deps);
  return yield* writeAuthorized(tx, intent, claim.lost, found.grant, deps);
}
