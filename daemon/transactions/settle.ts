import { type Steps, step } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { settleAsk } from "./ask.ts";
import { settleAuthorize } from "./authorize.ts";
import { settleClose } from "./close.ts";
import { settleFail } from "./fail.ts";
import type { Plan, Settled } from "./plan.ts";
import { settleRefuse } from "./refuse.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { settleTell } from "./tell.ts";

/**
 * What becomes of a plan, written in the store transaction that its receipt is written in. The steps of a call are in
 * this order, each in the file of its name; nothing is taken before the last:
 *
 * 0. stop      has everything been stopped since it was judged
 * 1. claim     has this call run, or is it running
 * 2. call-id   is another call of the same id under way
 * 3. grants    where somebody has to say yes: who has, and for what
 * 4. limits    would it spend more than a window allows
 * 5. write     claim, spending, grant and `authorized`: all of them, or a throw and none
 *
 * Throws StoreFailed; then nothing of the plan may be kept (the store transaction is rolled back), and the call is blocked.
 */
export function* settlePlan(tx: StoreTx, plan: Plan, deps: SettleDeps): Steps<Settled> {
  switch (plan.kind) {
    case "authorize":
      if (yield* standsStill(tx, deps)) return { kind: "stopped" };
      return yield* settleAuthorize(tx, plan, deps);
    case "ask":
      if (yield* standsStill(tx, deps)) return { kind: "stopped" };
      return yield* settleAsk(tx, plan, deps);
    case "refuse":
      return yield* settleRefuse(tx, plan);
    case "close":
      return yield* settleClose(tx, plan, deps);
    case "fail":
      return yield* settleFail(tx, plan);
    case "tell":
      return yield* settleTell(tx, plan);
  }
}

/** This daemon's own knowledge, and on a store that others write too, theirs. */
function* standsStill(tx: StoreTx, deps: SettleDeps): Steps<boolean> {
  return deps.isStopped() || (yield* step(tx.isStopped()));
}
