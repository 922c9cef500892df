import type { Phase } from "../event.ts";
import type { JsonObject } from "../value.ts";
import { isRight, mayBeMeant } from "./judge-argument.ts";
import type { FallbackPolicy, FallbackRule } from "./policy.ts";

/** What is judged: the JSON that the event's arguments have in a frame, with the feature `escape`. */
export interface OfflineEvent {
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly args: JsonObject;
}

/** `rule`: whose word it is; null where no rule is about the call, which is a BLOCK. */
export type OfflineVerdict =
  | { readonly verdict: "ALLOW"; readonly rule: string }
  | { readonly verdict: "BLOCK"; readonly rule: string | null };

/** The first block that is about the event beats every allow; without an allow it is blocked. */
export const decideOffline = ({ rules }: FallbackPolicy, event: OfflineEvent): OfflineVerdict => {
  const block = rules.find((rule) => rule.effect === "block" && isBlockOf(rule, event));
  if (block !== undefined) return { verdict: "BLOCK", rule: block.id };
  const allow = rules.find((rule) => rule.effect === "allow" && isAllowOf(rule, event));
  return allow === undefined ? { verdict: "BLOCK", rule: null } : { verdict: "ALLOW", rule: allow.id };
};

const isBlockOf = (rule: FallbackRule, event: OfflineEvent): boolean =>
  isAbout(rule, event) && rule.where.every((condition) => mayBeMeant(event.args, condition));

const isAllowOf = (rule: FallbackRule, event: OfflineEvent): boolean =>
  isAbout(rule, event) &&
  hasOnly(event.args, rule.only_arguments) &&
  rule.where.every((condition) => isRight(event.args, condition));

const isAbout = ({ actions, phase, principals }: FallbackRule, event: OfflineEvent): boolean =>
  (phase === "both" || phase === event.phase) &&
  actions.some((name) => isNamed(event.action, name, ".*")) &&
  (principals === null || principals.some((name) => event.principal !== null && isNamed(event.principal, name, "/*")));

/** `a.*` names what begins with `a.`; `*` everything; else the name itself. */
const isNamed = (name: string, listed: string, suffix: ".*" | "/*"): boolean => {
  if (listed === "*") return true;
  return listed.endsWith(suffix) ? name.startsWith(listed.slice(0, -1)) : name === listed;
};

const hasOnly = (args: JsonObject, names: readonly string[] | null): boolean =>
  names === null || Object.keys(args).every((name) => names.includes(name));
