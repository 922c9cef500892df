import type { Rule, RuleOf } from "interlock/rules";
import type { WireObject } from "../../wire/value.ts";

type AnyTools = Record<string, WireObject>;

/**
 * Several rules of the corpus do on purpose what the SDK's types refuse (escalate a result, rewrite to a date). They are
 * written against the untyped form of a rule, as a rule set in plain JavaScript is; the SDK checks them when it runs.
 */
export const withoutTypes = (rules: readonly Rule[]): readonly RuleOf<AnyTools, AnyTools, string>[] =>
  rules as unknown as readonly RuleOf<AnyTools, AnyTools, string>[];
