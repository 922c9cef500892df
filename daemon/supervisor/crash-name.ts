/**
 * What an engine's thread died of, in a word for the operator: an error's code or its type. A rule may throw anything,
 * and what crosses the threads is not to be trusted: no getter is run, no text of its own is repeated.
 */
export const crashName = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return `threw a ${error === null ? "null" : typeof error}`;
  const code = Object.getOwnPropertyDescriptor(error, "code")?.value as unknown;
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return code;
  for (const type of [RangeError, ReferenceError, SyntaxError, TypeError, EvalError, URIError])
    if (error instanceof type) return type.name;
  return error instanceof Error ? "Error" : "threw an object";
};
