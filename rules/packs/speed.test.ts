import { beforeAll, describe, expect, it } from "vitest";
import { callOf, commandOf, contents, resultOf } from "../../bench/packs/contents.ts";
import { cost_ms } from "../../test/detect/cost.ts";
import type { Phase } from "../../wire/event.ts";
import type { WireObject } from "../../wire/value.ts";
import { standardPacks } from "./standard.ts";

/**
 * Some four times what the packs took on a busy machine with two cores, in processor time: what is slower has become slower by an
 * order. The bench (`--only packs`) has the budgets.
 */
const limits = Object.freeze({ call_us: 1_000, commandFirst_us: 4_000, commandAgain_us: 500, result_ms: 1_000 });
const resultCharacters = 2_000_000;
const calls = 400;
const warmUpCalls = 3_000;

const { rules } = standardPacks({ roots: ["/home/user/project"], directory: "/home/user/project" });
const context = { lookup: () => null, now_s: 0 } as never;

const ask = async (phase: Phase, action: string, args: WireObject): Promise<void> => {
  const event = { action, args, phase, principal: null, span_id: null, parent_principal: null, ts: 1 };
  for (const rule of rules) {
    if (rule.phase !== phase) continue;
    const answered = rule.evaluate(event as never, context);
    const answer = answered instanceof Promise ? await answered : answered;
    // `expect` costs more than a rule.
    if (answer !== undefined && answer.kind !== "allow") throw new Error(`${rule.id} holds ${action}`);
  }
};

let next = 0;
const each_us = async (action: string, args: () => WireObject): Promise<number> => {
  const blocks = Array.from({ length: 3 }, () => Array.from({ length: calls }, args));
  const block = async () => {
    for (const one of blocks.pop() ?? []) await ask("call", action, one);
  };
  return ((await cost_ms(block)) * 1_000) / calls;
};

describe("the starter packs together", () => {
  beforeAll(async () => {
    for (let at = 0; at < warmUpCalls; at++) await ask("call", "send_message", callOf(next++));
    for (let at = 0; at < warmUpCalls; at++) await ask("call", "bash", commandOf(at % 5));
  }, 120_000);

  it("judge a call of 1 KiB without a command", async () => {
    expect(await each_us("send_message", () => callOf(next++))).toBeLessThan(limits.call_us);
  }, 60_000);

  it("judge a command that they have not seen", async () => {
    expect(await each_us("bash", () => commandOf(next++))).toBeLessThan(limits.commandFirst_us);
  }, 60_000);

  it("judge a command that they have seen", async () => {
    expect(await each_us("bash", () => commandOf(next++ % 5))).toBeLessThan(limits.commandAgain_us);
  }, 60_000);

  it.each(Object.entries(contents))(
    "read a result of 2 MB of %s",
    async (_, make) => {
      const text = make(resultCharacters);
      let turn = 0;
      const read = () => ask("result", "read_file", resultOf(`${text} ${turn++}`));
      expect(await cost_ms(read)).toBeLessThan(limits.result_ms);
    },
    60_000,
  );
});
