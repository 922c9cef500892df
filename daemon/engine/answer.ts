import type { RuleAnswer } from "../../rules/types.ts";

/** A rule answered something that is not an answer: blocked like a rule that threw. */
export class NotAnAnswer extends Error {
  override readonly name = "NotAnAnswer";
}

const isPolicyId = (value: unknown): boolean => value === undefined || value === null || typeof value === "string";
const isAttribution = (value: unknown): boolean => value === null || typeof value === "string";
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Rules are signed, not proved: what one returns is parsed before it is believed. Undefined is "no opinion"; a
 * misspelt kind is not, since taking it for silence would allow what its author meant to block.
 */
export const parseAnswer = (answer: unknown): RuleAnswer | undefined => {
  if (answer === undefined) return undefined;
  const given = answer as Partial<Record<string, unknown>> | null;
  if (typeof given !== "object" || given === null) throw new NotAnAnswer();
  if (typeof given.reason !== "string" || !isPolicyId(given.policyId)) throw new NotAnAnswer();
  switch (given.kind) {
    case "allow":
      break;
    case "block":
    case "rewrite_result":
      if (!isAttribution(given.attributedTo)) throw new NotAnAnswer();
      break;
    case "rewrite":
      if (!isAttribution(given.attributedTo) || !isObject(given.args)) throw new NotAnAnswer();
      break;
    case "escalate":
      if (!isAttribution(given.attributedTo) || (given.by !== "client" && given.by !== "operator")) {
        throw new NotAnAnswer();
      }
      break;
    default:
      throw new NotAnAnswer();
  }
  return answer as RuleAnswer;
};

const identifier = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** The error's type by name, and nothing else of it: messages quote arguments. */
export const errorTypeName = (error: unknown): string => {
  try {
    const name = (error as { constructor?: { name?: unknown } } | null)?.constructor?.name;
    return typeof name === "string" && identifier.test(name) ? name : typeof error;
  } catch {
    // A hostile getter on what was thrown: there is no name to give, and the rule is blocked all the same.
    return "Error";
  }
};
