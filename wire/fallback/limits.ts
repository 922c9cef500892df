/** Limits of a fallback policy, with their units. All are far above what a person writes. */

export const maxFallbackRules = 1024;
/** Actions, principals, conditions, prefixes and values of one list. */
export const maxFallbackListed = 1024;
/** A text in a policy: an action, a principal, a value, the way to an argument. */
export const maxFallbackTextBytes = 4096;
/** Steps of the way to one argument. */
export const maxArgumentSteps = 32;
