import type { FallbackPolicy, FallbackRule } from "../../wire/fallback/policy.ts";

/** What a policy's author may not have meant: no refusals. */
export const asidesOf = ({ rules }: FallbackPolicy): readonly string[] => [
  ...rules.filter(isOpen).map(({ id }) => `${id} allows whatever arguments: it has neither where nor only_arguments`),
  ...rules
    .filter(isUnbounded)
    .map(({ id }) => `${id} has no only_arguments: arguments beside those in where may be anything`),
  ...withheld(rules).map((action) => `${action} may be called, and no rule is of its result: the result is blocked`),
];

const isCallAllow = ({ effect, phase }: FallbackRule): boolean => effect === "allow" && phase !== "result";

const isOpen = (rule: FallbackRule): boolean =>
  isCallAllow(rule) && rule.where.length === 0 && rule.only_arguments === null;

const isUnbounded = (rule: FallbackRule): boolean =>
  isCallAllow(rule) && rule.where.length > 0 && rule.only_arguments === null;

/** Actions, as they are written, that a rule lets run and none lets return. */
const withheld = (rules: readonly FallbackRule[]): readonly string[] => {
  const returned = rules
    .filter(({ effect, phase }) => effect === "allow" && phase !== "call")
    .flatMap(({ actions }) => actions);
  const called = rules.filter(isCallAllow).flatMap(({ actions }) => actions);
  const isCovered = (action: string): boolean =>
    returned.some((name) => name === action || (name.endsWith(".*") && action.startsWith(name.slice(0, -1))));
  return [...new Set(called)].filter((action) => !isCovered(action));
};
