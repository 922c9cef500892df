import { highest, refund, without } from "../scenarios/arguments.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { withWireAgent } from "../stage/wire-agent.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** The value of `amount` as JSON text, each worth more than the highest amount to somebody who coerces. */
const amounts: readonly string[] = [
  '"9999"',
  '" 9999 "',
  '"9_999"',
  '"1e9"',
  '"Infinity"',
  '"NaN"',
  "true",
  "null",
  "NaN",
  "Infinity",
  "1e400",
  "-1e400",
  "99999999999999999999",
  "[9999]",
  '["9999"]',
  '{"value":9999}',
  '{"amount":9999}',
  '{"__interlock__":"bytes","b64":"OTk5OQ=="}',
];

/** Other names for the amount, so that the threshold's own argument is missing, or hides another. */
const members = [
  '"Amount":9999',
  '"amount ":9999',
  '"amounts":9999',
  '"amount\\u0000":9999',
  '"__proto__":{"amount":9999}',
];

const base = (n: number): string => JSON.stringify(without(refund("Y", n, highest), "amount")).slice(0, -1);

/** The amount itself is no number, is not there, or is there twice. */
const frames: readonly string[] = [
  ...amounts.map((amount, at) => `${base(at)},"amount":${amount}}`),
  ...members.map((member, at) => `${base(100 + at)},${member}}`),
  `${base(300)},"amount":1,"amount":9999}`,
  `${base(301)},"amount":9999,"amount":1}`,
];

/** A small amount, and a large one under another name. Only a contract knows which names a tool has. */
const hidden: readonly string[] = members.map((member, at) => `${base(200 + at)},"amount":1,${member}}`);

const executionsUnder = (rules: string, all: readonly string[]): Promise<number> =>
  onStage(rules, (stage) => executionsOn(stage, all));

const executionsOn = (stage: Stage, all: readonly string[]): Promise<number> =>
  withWireAgent(stage, async (agent) => {
    for (const args of all) await agent.put("refund_invoice", args);
    return agent.ran;
  });

/** A string, a boolean, a nested or renamed amount is none: neither contracts nor policies alone let it past a threshold. */
export const coercedTypes: ExtraSet = {
  name: "coerced_types",
  run: async () => {
    const all = [...frames, ...hidden];
    const policyAlone = await executionsUnder("policy-only", frames);
    return {
      counted: "calls past the threshold",
      baseline: (await executionsUnder("no-enforcement", frames)) + (await executionsUnder("no-enforcement", all)),
      ...(await onStage("every-gate", async (stage) => ({
        treatment: policyAlone + (await executionsOn(stage, all)),
        ...(await falseBlocks(stage)),
      }))),
      wanted: 0,
      total: frames.length + all.length,
    };
  },
};
