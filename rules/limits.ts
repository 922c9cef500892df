/** Limits of one rule set, each with its unit in its name. `defineRules` refuses what is beyond them. */

/** Rules in one set. The daemon is measured with 1,000. */
export const maxRulesPerSet = 10_000;
export const maxPoliciesPerSet = 10_000;
export const maxPrincipalsPerSet = 100_000;
export const maxActionsPerRule = 256;
export const maxExamplesPerRule = 256;
export const maxResolversPerSet = 64;
/** Ids are written into receipts and reasons. */
export const maxRuleIdBytes = 128;
/** Wall time all rules of a set may take for one event. */
export const defaultDeadline_ms = 250;
export const maxDeadline_ms = 10_000;
/** A JSON table is read whole. */
export const maxTableBytes = 16 * 1024 * 1024;
