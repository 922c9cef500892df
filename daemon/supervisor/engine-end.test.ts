import { expect, test } from "vitest";
import { endOf } from "./engine-end.ts";
import { idle, loading } from "./slot.ts";

const rules = new Map([[4, { number: 4, id: "slow", deadline_ms: 250 }]]);

test("a rule that overran is named, and its call is a block that says so", () => {
  const end = endOf({ kind: "rule_overran", ruleNumber: 4 }, 4, false, rules);
  expect(end.rule?.id).toBe("slow");
  expect(end.judged).toMatchObject({
    verdict: 1,
    code: "rule_overran",
    policy_id: "slow",
    reason: "rule slow ran past its deadline of 250 ms",
    traceJson: `["rules/slow:DENY","rules:DENY"]`,
  });
  expect(end.line).toBe("rule slow ran past its deadline of 250 ms; the engine was restarted");
});

test("a rule that came back in the last moment has been answered: nobody is blamed and nothing is decided", () => {
  const end = endOf({ kind: "rule_overran", ruleNumber: 4 }, 4, true, rules);
  expect(end).toMatchObject({ rule: null, judged: null });
});

test("an engine that died in a rule is that rule's doing; the log says of what", () => {
  const end = endOf({ kind: "crashed", crash: "ERR_WORKER_OUT_OF_MEMORY" }, 4, false, rules);
  expect(end.judged).toMatchObject({ verdict: 1, code: "rule_crashed", policy_id: "slow" });
  expect(end.line).toBe("rule slow ended the engine (ERR_WORKER_OUT_OF_MEMORY); the engine was restarted");
});

test.each([idle, loading, 99])("an engine that died while %i ran is nobody's doing", (running) => {
  expect(endOf({ kind: "crashed", crash: "TypeError" }, running, false, rules)).toMatchObject({
    rule: null,
    judged: null,
    line: "the engine ended (TypeError) and was restarted",
  });
});

test("a stall blocks the last question and suspends nobody", () => {
  const end = endOf({ kind: "stalled" }, 4, false, rules);
  expect(end.rule).toBeNull();
  expect(end.judged).toMatchObject({ verdict: 1, code: "engine_stalled", policy_id: null });
});
