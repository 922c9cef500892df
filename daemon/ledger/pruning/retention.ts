import { setImmediate as nextTurn } from "node:timers/promises";
import { type PrunableLedger, pruneStep } from "./prune.ts";

const day_ms = 86_400_000;

/** To be called now and then: prunes what is older than so many days, step by step, so that calls are answered between. */
export const retention = (
  ledger: PrunableLedger,
  receipts_days: number,
  rules: () => string,
  now_ms: () => number,
): (() => Promise<void>) => {
  let isRunning = false;
  return async () => {
    // A step that takes longer than the pause between two calls is not begun twice.
    if (isRunning) return;
    isRunning = true;
    try {
      const bound = { kind: "before_time", time_ms: now_ms() - receipts_days * day_ms } as const;
      const by = `receipts_days ${receipts_days}`;
      while ((await pruneStep(ledger, { bound, by, rules: rules(), now_ms: now_ms() })) !== null) await nextTurn();
    } finally {
      isRunning = false;
    }
  };
};
