import fc from "fast-check";
import { expect, test } from "vitest";
import { idle, loading, type SlotView } from "./slot.ts";
import { type Finding, Watchdog } from "./watchdog.ts";

const limits = { deadlineOf_ms: () => 250, loadingDeadline_ms: 10_000, stallDeadline_ms: 3_000 };

/** Looks every 20 ms, for so long, at what the engine shows; the findings in order. */
const watch = (
  view: (at_ms: number) => Partial<SlotView>,
  for_ms: number,
  every_ms = 20,
  dog = new Watchdog(limits, 100),
): readonly Finding[] => {
  const findings: Finding[] = [];
  for (let at_ms = 0; at_ms <= for_ms; at_ms += every_ms) {
    findings.push(dog.look({ step: 1, running: idle, heartbeat: at_ms + 1, ...view(at_ms) }, 1_000 + at_ms));
  }
  return findings;
};

const firstBad = (findings: readonly Finding[], every_ms = 20): { finding: Finding | undefined; at_ms: number } => {
  const place = findings.findIndex(({ kind }) => kind !== "well");
  return { finding: findings[place], at_ms: place * every_ms };
};

test("a rule that runs on is found just after its deadline, by its number", () => {
  const { finding, at_ms } = firstBad(watch(() => ({ running: 7 }), 1_000));
  expect(finding).toEqual({ kind: "rule_overran", ruleNumber: 7 });
  expect(at_ms).toBe(260);
});

test("rules that come and go are well, however long that lasts", () => {
  expect(firstBad(watch((at_ms) => ({ running: 7, step: Math.floor(at_ms / 240) }), 5_000)).finding).toBeUndefined();
});

test("a rule set that loads has a deadline of its own", () => {
  const { finding, at_ms } = firstBad(watch(() => ({ running: loading }), 11_000));
  expect(finding).toEqual({ kind: "loading_overran" });
  expect(at_ms).toBe(10_020);
});

test("a loop that does not turn with no rule named is a stall", () => {
  const { finding, at_ms } = firstBad(watch(() => ({ heartbeat: 5 }), 5_000));
  expect(finding).toEqual({ kind: "stalled" });
  expect(at_ms).toBe(3_020);
});

test("an engine that has not beaten yet opens its ledger, and is not stalled", () => {
  expect(firstBad(watch(() => ({ heartbeat: 0 }), 60_000)).finding).toBeUndefined();
});

test("a look that comes late starts the count anew: a pause of everybody blames nobody", () => {
  const dog = new Watchdog(limits, 100);
  const running: SlotView = { step: 1, running: 3, heartbeat: 1 };
  for (const at_ms of [0, 100, 200, 5_000, 5_100, 5_200]) expect(dog.look(running, at_ms)).toEqual({ kind: "well" });
  expect(dog.look(running, 5_300).kind).toBe("rule_overran");
});

test("after a reset nothing that was seen before counts", () => {
  const dog = new Watchdog(limits, 100);
  const running: SlotView = { step: 1, running: 3, heartbeat: 1 };
  for (const at_ms of [0, 100, 200]) dog.look(running, at_ms);
  dog.reset();
  for (const at_ms of [300, 400, 500]) expect(dog.look(running, at_ms)).toEqual({ kind: "well" });
});

test("property: no rule is blamed before it has been seen for its deadline, each is once it has been for two looks more", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 10, max: 400 }),
      fc.integer({ min: 1, max: 5_000 }),
      (deadline_ms, every_ms, runs_ms) => {
        const dog = new Watchdog({ ...limits, deadlineOf_ms: () => deadline_ms }, 100);
        const findings = watch(() => ({ running: 1 }), runs_ms, every_ms, dog);
        const { finding, at_ms } = firstBad(findings, every_ms);
        if (finding !== undefined) expect(at_ms).toBeGreaterThan(deadline_ms);
        else expect(runs_ms).toBeLessThanOrEqual(deadline_ms + 2 * every_ms);
      },
    ),
  );
});
