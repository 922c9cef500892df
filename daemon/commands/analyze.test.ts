import { expect, test } from "vitest";
import { allow, block, rewrite } from "../../rules/index.ts";
import { loadedRules, type Ruling, rule } from "../engine/judging.testkit.ts";
import { indexRules } from "../engine/rule-index.ts";
import { analyze } from "./analyze.ts";
import { readEvent } from "./judge-offline.ts";

const event = (body: object) => {
  const read = readEvent(JSON.stringify({ action: "pay", args: {}, phase: "call", ...body }), 1);
  if ("error" in read) throw new Error(read.error);
  return read.event;
};

const analyzed = (rules: Record<string, Ruling>, body: object = {}) =>
  analyze({
    event: event(body),
    index: indexRules(loadedRules(Object.entries(rules).map(([id, evaluate]) => rule(id, evaluate))), 0),
    unknown: "block",
    now_ms: 0,
  });

test("every rule is told, each alone, after the decision that stops at the first", async () => {
  const { exitCode, lines, json } = await analyzed(
    {
      first: () => block("too much", { attributedTo: "amount" }),
      silent: () => undefined,
      second: () => block("too late"),
      good: () => allow(),
    },
    { args: { amount: 7 } },
  );
  expect(exitCode).toBe(0);
  expect(lines).toEqual([
    "decision: BLOCK pay: too much (first), about amount",
    "  first: BLOCK pay: too much (first), about amount",
    "  silent: no opinion",
    "  second: BLOCK pay: too late (second)",
    "  good: ALLOW pay: allowed",
  ]);
  expect(json).toMatchObject({ ok: true, decision: { policy_id: "first" } });
  expect((json.rules as { verdict: string | null }[]).map(({ verdict }) => verdict)).toEqual([
    "BLOCK",
    null,
    "BLOCK",
    "ALLOW",
  ]);
});

test("each rule sees the event as it was given, not as an earlier one rewrote it", async () => {
  const { json } = await analyzed({
    makes: () => rewrite({ safe: true }),
    asks: ({ args }) => (args.safe === true ? allow() : block("not safe")),
  });
  expect(json.decision).toMatchObject({ verdict: "MODIFY" });
  expect(json.rules).toMatchObject([{ verdict: "MODIFY" }, { verdict: "BLOCK" }]);
});

test("a rule that throws is a cause of its own, and the others are told all the same", async () => {
  const { json } = await analyzed({
    throws: () => {
      throw new TypeError("secret");
    },
    good: () => allow(),
  });
  expect(json.rules).toMatchObject([{ code: "rule_threw" }, { verdict: "ALLOW" }]);
  expect(JSON.stringify(json)).not.toContain("secret");
});

test("an action that no rule is about says so, and what is decided then", async () => {
  const index = indexRules(loadedRules([rule("r", () => undefined, { actions: ["other"] })]), 0);
  const { lines } = await analyze({ event: event({}), index, unknown: "escalate", now_ms: 0 });
  expect(lines[0]).toMatch(/^decision: ESCALATE pay: /);
  expect(lines[1]).toBe("  no rule matches this action");
});
