import { refund } from "./arguments.ts";
import { digits, numbered, type Scenario, scenario } from "./scenario.ts";

/** How often each call of the repeated set is put. */
export const timesEach = 20;

/** 10 refunds that may run, once. */
export const repeatedSet: readonly Scenario[] = Object.freeze(
  numbered(10, (n) => scenario(`repeat-${digits(n, 2)}`, "refund_invoice", "runs", refund("T", n, 40 + 6 * n))),
);
