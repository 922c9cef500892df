import type { z } from "zod";
import { knownKeys } from "./known-keys.ts";

/** What is said of one thing that is wrong in what somebody wrote. */
export interface Problem {
  /** An unknown key, included. */
  readonly path: readonly (string | number)[];
  readonly what: string;
}

/** The first issue of what a schema refused; of several forms, what the form that came closest says. */
export const firstIssue = (issues: readonly z.core.$ZodIssue[], schema: z.core.$ZodType | null): Problem => {
  // A key that is misspelt is most often why another one is missing.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) return { path: [], what: "refused" };
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = schema === null ? [] : knownKeys(schema, path);
    return {
      path: [...path, key],
      what: known.length === 0 ? "unknown key" : `unknown key; known: ${known.join(", ")}`,
    };
  }
  if (issue.code === "invalid_key" || issue.code === "invalid_element")
    return { path, what: issue.issues[0]?.message ?? issue.message };
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const [closest] = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a));
    const inner = firstIssue(closest ?? [], null);
    if (inner.path.length > 0) return { path: [...path, ...inner.path], what: inner.what };
  }
  return { path, what: worded(issue.message) };
};

const worded = (message: string): string => {
  const missing = /^Invalid input: (expected .*), received undefined$/.exec(message);
  return missing === null ? message : `must be given: ${missing[1]}`;
};

const depthOf = (issues: readonly z.core.$ZodIssue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
