import type { WireObject } from "../../wire/value.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { Budget, Metric, MetricGroup } from "../metric.ts";
import { callOf, commandOf, contents, resultOf } from "../packs/contents.ts";
import { type Ask, starterPacks } from "../packs/judging.ts";
import { median } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const megabyte = 1_000_000;
const resultCharacters = 10 * megabyte;
/** 20 MB/s. */
const result_ms = (resultCharacters / megabyte / 20) * 1_000;
const calls = 1_000;
/** A daemon lives long: what is measured is code that was compiled. */
const warmUpCalls = 12;
const warmUpResults = 3;

/** Processor time of this process, its helper threads included: waiting for a core is no part of it. */
const cpu_us = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** A loop that touches no memory: how fast the core is now. */
const loop = (): number => {
  let sum = 0;
  for (let at = 0; at < 10_000_000; at++) sum = (sum * 31 + at) | 0;
  return sum;
};

/** The processor time of each block's work and of the loop, alternating. What is asked is made before the clock runs. */
const measured = async (
  bench: Workbench,
  { title, block, warmUp }: Load,
): Promise<{ readonly subject: readonly number[]; readonly floor: readonly number[] }> => {
  const blocks = [() => cpu_us(loop), () => cpu_us(block())];
  for (let times = 0; times < warmUp; times++) for (const one of blocks) await one();
  const onRun = (run: number) => bench.progress(`${title}: run ${run + 1}/${bench.runs}`);
  const [floor, subject] = await alternate(bench.runs, blocks, onRun);
  if (floor === undefined || subject === undefined) throw new Error("bench: a contender has no runs");
  return { subject, floor };
};

interface Load {
  readonly name: string;
  readonly title: string;
  readonly unit: "us" | "ms";
  /** How many of them are in one block. */
  readonly count: number;
  /** Blocks before the first that counts. */
  readonly warmUp: number;
  readonly budget: Budget;
  /** Makes what is asked next, and returns what asks it. */
  block(): () => unknown;
}

const metricOf = async (bench: Workbench, load: Load): Promise<Metric> => {
  const { name, title, unit, count, budget } = load;
  const { subject, floor } = await measured(bench, load);
  const scale = unit === "ms" ? 1_000 : 1;
  return {
    name,
    title: `${title}, processor time`,
    unit,
    value: median(subject) / count / scale,
    floor: median(floor) / scale,
    floorIs: "a loop of 10 million steps",
    ratio: ratios(
      subject.map((value) => value / count),
      floor,
    ),
    runs: bench.runs,
    budget,
    holdsBesides: true,
    notes: [],
  };
};

const askEach = (ask: Ask, action: string, args: (at: number) => WireObject): (() => Promise<void>) => {
  const all = Array.from({ length: calls }, (_, at) => args(at));
  return async () => {
    for (const one of all) await ask("call", action, one);
  };
};

/** One result for each content; the slowest is the figure. */
const results = async (bench: Workbench, ask: Ask): Promise<Metric> => {
  const metrics: Metric[] = [];
  for (const [name, make] of Object.entries(contents)) {
    const text = make(resultCharacters);
    let turn = 0;
    metrics.push(
      await metricOf(bench, {
        name: "packs_result",
        title: `a result of 10 MB of ${name} through all starter packs`,
        unit: "ms",
        count: 1,
        budget: { holds: "value at most", limit: result_ms },
        warmUp: warmUpResults,
        // Another text each time, so that nothing is known of it.
        block: () => {
          const result = resultOf(`${text} ${turn++}`);
          return () => ask("result", "read_file", result);
        },
      }),
    );
  }
  const slowest = metrics.reduce((one, other) => (other.value > one.value ? other : one));
  const notes = metrics.map(({ title, value }) => `${title}: ${(resultCharacters / 1_000 / value).toFixed(1)} MB/s`);
  return { ...slowest, notes };
};

/** What the standard packs cost: a call, a command, a result. In this process, with the engine of the daemon. */
export const packs: MetricGroup = {
  name: "packs",
  yields: ["packs_call", "packs_command_first", "packs_command_again", "packs_result"],
  onlyWith: null,
  async measure(bench) {
    const ask = await starterPacks(bench.filePath("packs.ts"));
    let next = 0;
    const atMost = (limit: number): Budget => ({ holds: "value at most", limit });
    const loads: readonly Load[] = [
      {
        name: "packs_call",
        title: "a call of 1 KiB without a command through all starter packs",
        unit: "us",
        count: calls,
        budget: atMost(50),
        warmUp: warmUpCalls,
        block: () => askEach(ask, "send_message", () => callOf(next++)),
      },
      {
        name: "packs_command_first",
        title: "a command that was not seen before",
        unit: "us",
        count: calls,
        budget: atMost(1_000),
        warmUp: warmUpCalls,
        block: () => askEach(ask, "bash", () => commandOf(next++)),
      },
      {
        name: "packs_command_again",
        title: "a command that was seen before",
        unit: "us",
        count: calls,
        budget: atMost(20),
        warmUp: warmUpCalls,
        block: () => askEach(ask, "bash", (at) => commandOf(at % 5)),
      },
    ];
    const metrics: Metric[] = [];
    for (const load of loads) metrics.push(await metricOf(bench, load));
    return [...metrics, await results(bench, ask)];
  },
};
