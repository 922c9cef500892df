import { refund } from "../scenarios/arguments.ts";
import type { Arguments } from "../scenarios/scenario.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { withWireAgent } from "../stage/wire-agent.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const calls = 10;

type Members = readonly (readonly [name: string, value: string])[];

const members = (args: Arguments): Members =>
  Object.entries(args).map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)] as const);

const object = (parts: Members, comma = ",", colon = ":"): string =>
  `{${parts.map(([name, value]) => name + colon + value).join(comma)}}`;

const amountAs = (parts: Members, spell: (digits: string) => string): Members =>
  parts.map(([name, value]) => [name, name === '"amount"' ? spell(value) : value] as const);

/** Every character of the name as its escape: other bytes, the same string. */
const escapedName = (parts: Members): Members =>
  parts.map(([name, value]) => [
    `"${[...name.slice(1, -1)].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`,
    value,
  ]);

/** One call, written in several ways. Each is the same arguments to every JSON parser. */
const spellings: readonly ((args: Arguments) => string)[] = [
  (args) => object(members(args)),
  (args) => object([...members(args)].reverse()),
  (args) => object([...members(args)].sort()),
  (args) => object(members(args), " , ", " : "),
  (args) => object(escapedName(members(args))),
  (args) => object(amountAs(members(args), (digits) => `${digits}.0`)),
  (args) => object(amountAs(members(args), (digits) => `${digits}e0`)),
  (args) => object(amountAs(members(args), (digits) => `${digits}00.00E-2`)),
  (args) => object(amountAs(members(args), (digits) => `${digits[0]}.${digits.slice(1)}e+${digits.length - 1}`)),
  (args) =>
    object(
      amountAs([...members(args)].reverse(), (digits) => `${digits}.000`),
      ", ",
    ),
];

/** Puts each call in each of its spellings, one after the other; how often tools ran. */
const executionsOf = (stage: Stage): Promise<number> =>
  withWireAgent(stage, async (agent) => {
    for (let n = 1; n <= calls; n++) {
      for (const spell of spellings) await agent.put("refund_invoice", spell(refund("S", n, 100 + n)));
    }
    return agent.ran;
  });

/** Reordered keys and spellings of numbers: `100`, `100.0`, `1e2` are one amount, so they are one call. */
export const reorderedAndRespelled: ExtraSet = {
  name: "reordered_and_respelled",
  run: async () => ({
    counted: "executions",
    baseline: await onStage("no-idempotency", executionsOf),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await executionsOf(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: calls,
    total: calls * spellings.length,
  }),
};
