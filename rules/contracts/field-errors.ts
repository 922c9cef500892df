import type { z } from "zod";
import { locOf } from "./argument-path.ts";
import type { FieldError } from "./tool.ts";

type Issue = z.core.$ZodIssue;

const maxErrors = 32;

/**
 * What zod found, as fields of a closed list of types. Messages are made here from the schema alone: zod's own may be
 * written by the schema's author, who may quote what was put.
 */
export const fieldErrors = (issues: readonly Issue[], args: unknown): readonly FieldError[] =>
  Object.freeze(
    issues
      .flatMap((issue) => errorsOf(issue, args))
      .slice(0, maxErrors)
      .map((error) => Object.freeze(error)),
  );

const errorsOf = (issue: Issue, args: unknown): FieldError[] => {
  const loc = locText(issue.path);
  switch (issue.code) {
    case "invalid_type":
      return [
        isThere(issue.path, args)
          ? { loc, msg: `must be ${withArticle(issue.expected)}`, type: "invalid_type" }
          : { loc, msg: "is required", type: "missing" },
      ];
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        loc: locOf(loc, key),
        msg: "is not an argument of this tool",
        type: "unrecognized_keys",
      }));
    case "too_small":
      return [
        { loc, msg: sizeMessage(issue.origin, issue.minimum, issue.inclusive ?? true, "least"), type: "too_small" },
      ];
    case "too_big":
      return [{ loc, msg: sizeMessage(issue.origin, issue.maximum, issue.inclusive ?? true, "most"), type: "too_big" }];
    case "invalid_format":
      return [{ loc, msg: formatMessage(issue.format), type: "invalid_format" }];
    case "not_multiple_of":
      return [{ loc, msg: `must be a multiple of ${issue.divisor}`, type: "not_multiple_of" }];
    case "invalid_value":
      return [
        isThere(issue.path, args)
          ? { loc, msg: `must be one of ${issue.values.map(text).join(", ").slice(0, 200)}`, type: "invalid_value" }
          : { loc, msg: "is required", type: "missing" },
      ];
    case "invalid_union":
      return [
        isThere(issue.path, args)
          ? { loc, msg: "is none of the forms it may have", type: "invalid_union" }
          : { loc, msg: "is required", type: "missing" },
      ];
    case "invalid_key":
      return [{ loc, msg: "has a key of the wrong form", type: "invalid_key" }];
    default:
      return [{ loc, msg: "is refused by its schema", type: "refused" }];
  }
};

const locText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((loc, step) => locOf(loc, typeof step === "number" ? step : String(step)), "");

/** zod tells a missing argument as one of the wrong type. */
const isThere = (path: readonly PropertyKey[], args: unknown): boolean => {
  let value = args;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return true;
};

const text = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));

const withArticle = (expected: string): string => {
  const name = expected === "record" ? "object" : expected === "int" ? "whole number" : expected;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
};

const sizeMessage = (origin: string, limit: number | bigint, inclusive: boolean, end: "least" | "most"): string => {
  if (origin === "string") return `must have at ${end} ${limit} characters`;
  if (origin === "array") return `must have at ${end} ${limit} elements`;
  if (inclusive) return `must be at ${end} ${limit}`;
  return end === "least" ? `must be greater than ${limit}` : `must be less than ${limit}`;
};

const formatMessage = (format: string): string =>
  format === "regex" ? "does not match its pattern" : `is not of the format ${format}`;
