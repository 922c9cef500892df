import { allow, block, escalate, rewrite } from "../../rules/answers.ts";
import type { Rule, RuleAnswer, RuleEvent } from "../../rules/types.ts";
import type { SimTime } from "./sim-time.ts";

const rule = (
  name: string,
  evaluate: (event: RuleEvent) => RuleAnswer | undefined | Promise<RuleAnswer | undefined>,
): Rule => ({ id: `sim.${name}`, actions: [`sim.${name}`], phase: "call", evaluate, examples: [] });

export const deadline_ms = 250;

const waitOf = ({ args }: RuleEvent): number => (typeof args.wait_ms === "number" ? args.wait_ms : 0);

/** One rule of each kind. Those that wait do so by the simulation's time. */
export const simRules = (time: SimTime): readonly Rule[] => [
  rule("allow", () => allow()),
  rule("block", () => block("no", { attributedTo: "wait_ms" })),
  rule("rewrite", () => rewrite({ safe: true })),
  rule("escalate", () => escalate("ask somebody")),
  rule("throw", () => {
    throw new RangeError("of the rule");
  }),
  rule("wait", async (event) => {
    await time.sleep(waitOf(event));
    return allow();
  }),
  rule("wait-and-rewrite", async (event) => {
    await time.sleep(waitOf(event));
    return rewrite({ safe: true });
  }),
  rule("wait-and-throw", async (event) => {
    await time.sleep(waitOf(event));
    throw new RangeError("of the rule");
  }),
];

/** The verdicts that a call of this action may be given, whatever fails: an exception or a deadline is a BLOCK. */
export const allowedVerdicts: Readonly<Record<string, readonly number[]>> = {
  "sim.allow": [0, 1],
  "sim.block": [1],
  "sim.rewrite": [2, 1],
  "sim.escalate": [3, 1],
  "sim.throw": [1],
  "sim.wait": [0, 1],
  "sim.wait-and-rewrite": [2, 1],
  "sim.wait-and-throw": [1],
  // No rule covers it, and the setting is `block`.
  "sim.unknown": [1],
};
