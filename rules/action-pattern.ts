/** Does a rule's action match an event's? Exact names, `"prefix.*"` (everything below, not the prefix itself), `"*"`. */
export const actionMatches = (pattern: string, action: string): boolean =>
  pattern === "*" || pattern === action || (pattern.endsWith(".*") && action.startsWith(pattern.slice(0, -1)));
