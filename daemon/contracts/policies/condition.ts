import { argumentPath, type Found, readPath } from "../../../rules/contracts/argument-path.ts";
import { linearPattern } from "../../../rules/contracts/linear-pattern.ts";
import type { PolicyCondition } from "../../../rules/contracts/policy-definition.ts";
import type { WireValue } from "../../../wire/value.ts";
import type { PolicyCall } from "../policy.ts";
import { normalText } from "./normal-text.ts";
import { noMatch, type PolicyPart, type Truth } from "./truth.ts";

/** Longer texts are not put to a pattern: linear time is still time. */
const maxPatternText = 65_536;

/** A test of one value: does it hold, or what should the value have been? */
type Test = (value: WireValue) => boolean | { readonly should: string };

/** Throws `RuleDefinitionError` for a path or a pattern that is none. */
export const conditionPart = (text: string, condition: PolicyCondition, where: string): PolicyPart => {
  const path = argumentPath(text, where);
  const tests = testsOf(condition, where);
  const missing = condition.missing ?? "deny";
  return Object.freeze({
    name: `when ${text}`,
    test: ({ args }: PolicyCall) => anyOf(readPath(args, path), tests, missing),
  });
};

/** Any element will do. One that cannot be read outweighs one that holds: a deny is the stricter answer. */
const anyOf = (
  found: ReturnType<typeof readPath>,
  tests: readonly Test[],
  missing: NonNullable<PolicyCondition["missing"]>,
): Truth => {
  let any: Truth = noMatch;
  for (const one of found) {
    const truth = truthOf(one, tests, missing);
    if (truth.kind === "unreadable") return truth;
    if (truth.kind === "match" && any.kind === "no_match") any = truth;
  }
  return any;
};

const truthOf = (found: Found, tests: readonly Test[], missing: "deny" | "no_match" | "match"): Truth => {
  const { loc } = found;
  if (found.kind === "misshapen") return { kind: "unreadable", loc, why: "is not where it should be" };
  if (found.kind !== "value")
    return missing === "deny" ? { kind: "unreadable", loc, why: "is missing" } : { kind: missing, loc };
  let holds = true;
  for (const test of tests) {
    const answer = test(found.value);
    if (typeof answer === "object") return { kind: "unreadable", loc, why: `is not ${answer.should}` };
    holds &&= answer;
  }
  return { kind: holds ? "match" : "no_match", loc };
};

const testsOf = (condition: PolicyCondition, where: string): readonly Test[] => {
  const { gt, gte, lt, lte, eq, ne, pattern, not_pattern, minLength, maxLength } = condition;
  const shown = condition.normalize === undefined ? (text: string) => text : normalText;
  const tests: Test[] = [];
  if (gt !== undefined) tests.push(compared((value) => value > gt));
  if (gte !== undefined) tests.push(compared((value) => value >= gte));
  if (lt !== undefined) tests.push(compared((value) => value < lt));
  if (lte !== undefined) tests.push(compared((value) => value <= lte));
  if (eq !== undefined) tests.push(among([eq], true, shown));
  if (ne !== undefined) tests.push(among([ne], false, shown));
  if (condition.in !== undefined) tests.push(among(condition.in, true, shown));
  if (condition.not_in !== undefined) tests.push(among(condition.not_in, false, shown));
  if (pattern !== undefined) tests.push(fits(pattern, true, shown, where));
  if (not_pattern !== undefined) tests.push(fits(not_pattern, false, shown, where));
  if (minLength !== undefined) tests.push(long((length) => length >= minLength));
  if (maxLength !== undefined) tests.push(long((length) => length <= maxLength));
  return tests;
};

/** A text such as "9999", `true` and NaN are no numbers: JavaScript would compare them all the same. */
const compared =
  (holds: (value: number) => boolean): Test =>
  (value) =>
    typeof value === "number" && Number.isFinite(value) ? holds(value) : { should: "a finite number" };

type Scalar = string | number | boolean | null;

const among = (listed: readonly Scalar[], isIn: boolean, shown: (text: string) => string): Test => {
  const wanted = new Set(listed.map((item) => (typeof item === "string" ? shown(item) : item)));
  const types = new Set(listed.filter((item) => item !== null).map((item) => typeof item));
  const should = [...types].map((type) => `a ${type}`).join(" or ");
  return (value) => {
    if (value === null ? wanted.has(null) : types.size === 0) return wanted.has(value as Scalar) === isIn;
    if (!types.has(typeof value as never) || (typeof value === "number" && !Number.isFinite(value))) return { should };
    return wanted.has(typeof value === "string" ? shown(value) : (value as Scalar)) === isIn;
  };
};

const fits = (pattern: string, doesFit: boolean, shown: (text: string) => string, where: string): Test => {
  const linear = linearPattern(pattern, "", where);
  return (value) => {
    if (typeof value !== "string") return { should: "a text" };
    if (value.length > maxPatternText) return { should: `a text of at most ${maxPatternText} characters` };
    return linear.test(shown(value)) === doesFit;
  };
};

const long =
  (holds: (length: number) => boolean): Test =>
  (value) =>
    typeof value === "string" || Array.isArray(value) ? holds(value.length) : { should: "a text or a list" };
