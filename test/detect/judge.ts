import { isAbsolute } from "node:path";
import type { DefinedRule } from "../../rules/authoring.ts";
import type { Tier } from "../../rules/packs/pack.ts";
import { standardPacks } from "../../rules/packs/standard.ts";
import { remove } from "../../rules/remove.ts";
import type { RuleAnswer, RuleEvent } from "../../rules/types.ts";
import type { WireObject } from "../../wire/value.ts";

/** A call or a result as a case has it. */
export interface CaseEvent {
  readonly action: string;
  readonly args: WireObject;
  readonly phase?: "call" | "result";
}

export interface Judged {
  /** Blocked, escalated or rewritten: it does not go on as it was. */
  readonly held: boolean;
  readonly kind: "allow" | "block" | "escalate" | "rewrite" | "silent";
  /** The rule that decided; null where none said anything against it. */
  readonly rule: string | null;
}

export type Judge = (event: CaseEvent) => Promise<Judged>;

/** The place that cases are written for: a project in the home of a user, and a folder for what is temporary. */
export const surroundings = Object.freeze({
  roots: ["/home/user/project", "/tmp/work"],
  directory: "/home/user/project",
});

/** Judges by the standard packs of a tier as the engine does: a block beats an escalation, and what is rewritten is judged on. */
export const judgeBy = (
  tier: Tier,
  rules: readonly DefinedRule[] = standardPacks({ tier, ...surroundings }).rules,
): Judge => {
  if (!surroundings.roots.every(isAbsolute)) throw new Error("roots are absolute");
  return async ({ action, args, phase = "call" }) => {
    let current = frozen(args);
    let softest: Judged = { held: false, kind: "silent", rule: null };
    for (const rule of rules) {
      if (rule.phase !== phase || !rule.actions.some((pattern) => matches(pattern, action))) continue;
      const answer = await rule.evaluate(eventOf(action, current, phase), context);
      if (answer === undefined) continue;
      if (answer.kind === "block") return { held: true, kind: "block", rule: rule.id };
      if (answer.kind === "rewrite") current = frozen(merged(current, answer.args));
      softest = stronger(softest, answer, rule.id);
    }
    return softest;
  };
};

const context = { now_ms: 0, lookup: async () => undefined };

const eventOf = (action: string, args: WireObject, phase: "call" | "result"): RuleEvent => ({
  action,
  args,
  phase,
  principal: "agent",
  parent_principal: null,
  span_id: null,
  ts: 0,
});

const order = ["silent", "allow", "rewrite", "escalate", "block"] as const;

const stronger = (before: Judged, answer: RuleAnswer, rule: string): Judged => {
  const kind = answer.kind === "rewrite_result" ? "rewrite" : answer.kind;
  if (order.indexOf(kind) <= order.indexOf(before.kind)) return before;
  const held = kind !== "allow";
  return { held, kind, rule: held ? rule : null };
};

const matches = (pattern: string, action: string): boolean =>
  pattern === "*" || pattern === action || (pattern.endsWith(".*") && action.startsWith(pattern.slice(0, -1)));

const merged = (args: WireObject, change: Readonly<Record<string, unknown>>): WireObject =>
  Object.fromEntries(Object.entries({ ...args, ...change }).filter(([, value]) => value !== remove)) as WireObject;

/** As the daemon hands arguments to rules. */
const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
};
