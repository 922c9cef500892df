import { type Steps, step } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { settleAsk } from "./ask.ts";
import { settleAuthorize } from "./authorize.ts";
import { settleClose } from "./close.ts";
import { settleFail } from "./fail.ts";
import type { Intent, Plan, Settled } from "./plan.ts";
import { settleRefuse } from "./refuse.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { settleTell } from "./tell.ts";

/**
 * What becomes of a plan, written in the store transaction that its receipt is written in. The steps of a call are in
 * this order, each in the file of its name; nothing is taken before the last:
 *
 * 0. stop      has everything been stopped, or its tool been held, since it was judged
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
      return (yield* heldBack(tx, plan, deps)) ?? (yield* settleAuthorize(tx, plan, deps));
    case "ask":
      return (yield* heldBack(tx, plan, deps)) ?? (yield* settleAsk(tx, plan, deps));
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

/** Kill switch and quarantine, once more: a call that is under way when one begins is not let run. */
function* heldBack(tx: StoreTx, { intent }: { readonly intent: Intent }, deps: SettleDeps): Steps<Settled | null> {
  if (yield* standsStill(tx, deps)) return { kind: "stopped" };
  const held = intent.heldSince?.() ?? null;
  return held === null ? null : { kind: "held", code: held.code, reason: held.reason };
}

/** This daemon's own knowledge, and on a store that others write too, theirs. */
function* standsStill(tx: StoreTx, deps: SettleDeps): Steps<boolean> {
  return deps.isStopped() || (yield* step(tx.isStopped()));
}
