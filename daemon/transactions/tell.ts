import { type Steps, step } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import type { Plan, Settled } from "./plan.ts";

/** How long a decision that was told is known as told. A client tells what it has not seen answered with its next connection. */
export const toldWindow_ms = 90 * 24 * 60 * 60 * 1000;

/**
 * A decision that a client made without the daemon is recorded once, however often and to whichever daemon it is told: a
 * claim stands for it, in the store that those share.
 */
export function* settleTell(tx: StoreTx, { id, now_ms }: Extract<Plan, { kind: "tell" }>): Steps<Settled> {
  const expires_ms = now_ms + toldWindow_ms;
  // Keys of calls are hex: this is none of theirs.
  const key = `offline:${id}`;
  const row = { key, transaction_id: key, content: id, state: "executed", lease_until_ms: now_ms, expires_ms } as const;
  return { kind: (yield* step(tx.claim(row, now_ms))) === null ? "told" : "told_before" };
}
