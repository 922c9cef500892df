import { defineRules, RuleDefinitionError } from "interlock/rules";
import { describe, expect, it } from "vitest";
import { checkRuleSet } from "./check.ts";
import type { RuleExample } from "./types.ts";

const example: RuleExample = { event: { action: "pay", args: { to: { name: "x" } } }, expect: "silent" };
const rule = { id: "r", actions: ["pay"], phase: "call", evaluate: () => undefined, examples: [example] };
const set = { id: "s", version: 1, rules: [rule] };

const refused = (value: unknown, words: string): void => {
  const check = (): unknown => checkRuleSet(value);
  expect(check).toThrow(RuleDefinitionError);
  expect(check).toThrow(words);
  expect(check).toThrow(/^[^\n]{10,400}$/);
};

describe("defineRules", () => {
  it("returns a frozen copy with its defaults", () => {
    const defined = defineRules({ ...set, rules: [{ ...rule, phase: "call" }] });
    expect(defined).toMatchObject({ id: "s", version: 1, deadline_ms: 250, resolvers: {} });
    const first = defined.rules[0]!;
    for (const part of [
      defined,
      defined.rules,
      first,
      first.actions,
      first.examples,
      first.examples[0],
      defined.resolvers,
    ])
      expect(Object.isFrozen(part)).toBe(true);
    expect(Object.isFrozen((first.examples[0]!.event.args as { to: object }).to)).toBe(true);
    expect(checkRuleSet(defined)).toEqual({ ...defined });
  });

  it("does not ask a resolver for a key that is not there", async () => {
    const asked: unknown[] = [];
    const { resolvers } = checkRuleSet({ ...set, resolvers: { orders: (key: unknown) => asked.push(key) } });
    expect(await resolvers.orders!(undefined as never)).toBeUndefined();
    await resolvers.orders!("1");
    expect(asked).toEqual(["1"]);
  });

  it.each([
    ["nothing", undefined, "must be an object"],
    ["a list", [], "must be an object"],
    ["an unknown key", { ...set, deadline: 5 }, 'unknown key "deadline"'],
    ["no id", { ...set, id: undefined }, "a rule set's id"],
    ["an id with a space", { ...set, id: "a b" }, "a rule set's id"],
    ["an id that is too long", { ...set, id: "a".repeat(129) }, "a rule set's id"],
    ["version 0", { ...set, version: 0 }, "version"],
    ["version 1.5", { ...set, version: 1.5 }, "version"],
    ["version as text", { ...set, version: "1" }, "version"],
    ["no rules", { ...set, rules: [] }, "no rules"],
    ["rules that are no list", { ...set, rules: {} }, "rules must be a list"],
    ["the same rule twice", { ...set, rules: [rule, rule] }, "used twice"],
    ["a deadline of 0", { ...set, deadline_ms: 0 }, "deadline_ms"],
    ["a deadline of 10,001", { ...set, deadline_ms: 10_001 }, "deadline_ms"],
    ["a resolver that is no function", { ...set, resolvers: { orders: {} } }, "resolver orders"],
    ["resolvers that are a list", { ...set, resolvers: [] }, "resolvers"],
  ])("refuses a set with %s", (_what, value, words) => refused(value, words));

  it.each([
    ["null", null, "a rule must be an object"],
    ["an unknown key", { ...rule, action: "pay" }, 'unknown key "action"'],
    ["no id", { ...rule, id: "" }, "a rule's id"],
    ["phase before", { ...rule, phase: "before" }, "phase"],
    ["no evaluate", { ...rule, evaluate: undefined }, "evaluate"],
    ["no actions", { ...rule, actions: [] }, "actions"],
    ["an empty action", { ...rule, actions: [""] }, "an action"],
    ["an action fs*", { ...rule, actions: ["fs*"] }, "no other place for a star"],
    ["an action *.read", { ...rule, actions: ["*.read"] }, "no other place for a star"],
    ["an action .*", { ...rule, actions: [".*"] }, "no other place for a star"],
    ["an action that is too long", { ...rule, actions: ["a".repeat(1025)] }, "longer than"],
    ["no examples", { ...rule, examples: [] }, "examples"],
    ["examples missing", { ...rule, examples: undefined }, "examples"],
  ])("refuses a rule with %s", (_what, value, words) => refused({ ...set, rules: [value] }, words));

  it.each([
    ["an unknown key", { ...example, expects: "block" }, 'unknown key "expects"'],
    ["a verdict that is none", { ...example, expect: "blok" }, "expect must be"],
    ["an action the rule is not for", { ...example, event: { action: "mail", args: {} } }, "do not match"],
    ["no args", { ...example, event: { action: "pay" } }, "event.args"],
    ["another phase", { ...example, event: { ...example.event, phase: "result" } }, "event.phase"],
    ["a principal that is no text", { ...example, event: { ...example.event, principal: 1 } }, "event.principal"],
    ["an unknown key in its event", { ...example, event: { ...example.event, tool: "x" } }, 'unknown key "tool"'],
    ["becomes without rewrite", { ...example, becomes: {} }, "becomes"],
    ["given that is no object", { ...example, given: { orders: [] } }, "given"],
  ])("refuses an example with %s", (_what, value, words) => {
    refused({ ...set, rules: [{ ...rule, examples: [value] }] }, words);
    refused({ ...set, rules: [{ ...rule, examples: [value] }] }, "example 1");
  });

  it("refuses a result rule whose example expects an escalation", () => {
    const escalating = { event: { action: "pay", args: {} }, expect: "escalate" };
    refused({ ...set, rules: [{ ...rule, phase: "result", examples: [escalating] }] }, "never escalated");
  });
});
