import type { Decision } from "./decision.ts";

/**
 * The arguments that run after a MODIFY or an ESCALATE. Without `replace_args` the rewrite is merged over the copy, top-level
 * keys only (wire v1); with it the rewrite is the whole new object, so that a removed key is gone. Spreading defines
 * keys, so an own `__proto__` stays an ordinary key on both sides.
 */
export const rewrittenArgs = (args: Readonly<Record<string, unknown>>, decision: Decision): Record<string, unknown> => {
  if (decision.modified_args === null) return { ...args };
  return decision.replaces_args ? { ...decision.modified_args } : { ...args, ...decision.modified_args };
};
