/**
 * Takes an argument away: `rewrite({ token: remove })`. A registered symbol, because a signed rule set carries its own
 * copy of this module and the daemon must recognise the marker all the same.
 */
export const remove: unique symbol = Symbol.for("interlock.rules/remove");
export type Remove = typeof remove;
