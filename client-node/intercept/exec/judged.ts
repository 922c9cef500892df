import { type Plan, samePlan } from "./plan.ts";

/**
 * Node's own functions call each other inside (`exec` calls `execFile`, that and `fork` call a private `spawn`), so the
 * process is met again further down. One that was judged under its own name leaves a ticket that is good for exactly that
 * process, once. A flag would do for everything that runs meanwhile: async hooks and channel subscribers are the program's.
 * One a thread, since each thread has its own copy of this module.
 */
interface Ticket {
  readonly plan: Plan;
  isUsed: boolean;
}

let current: Ticket | null = null;

/** Runs Node's function of a call that was judged to start this process. */
export const withTicket = <T>(plan: Plan, step: () => T): T => {
  const before = current;
  current = { plan, isUsed: false };
  try {
    return step();
  } finally {
    current = before;
  }
};

/** Has this process been judged, and not yet been started? */
export const hasTicket = (plan: Plan): boolean => current !== null && !current.isUsed && samePlan(current.plan, plan);

/** The same, for the last step before the kernel: the ticket is used up. */
export const takeTicket = (plan: Plan): boolean => {
  if (current === null || !hasTicket(plan)) return false;
  current.isUsed = true;
  return true;
};
