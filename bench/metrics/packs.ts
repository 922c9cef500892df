import type { WireObject } from "../../wire/value.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { Metric, MetricGroup } from "../metric.ts";
import { callOf, commandOf, contents, resultOf } from "../packs/contents.ts";
import { type Ask, noPacks, starterPacks } from "../packs/judging.ts";
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

interface CallLoad {
  readonly name: string;
  readonly title: string;
  readonly action: string;
  /** At most so many microseconds more than the engine takes without a rule, p50. */
  readonly limit_us: number;
  args(at: number): WireObject;
}

interface CallFigures {
  readonly p50_us: number;
  readonly cpu_us: number;
}

/** One after another; what is asked is made before the clock runs. */
const eachCall = async (ask: Ask, { action, args }: CallLoad): Promise<CallFigures> => {
  const all = Array.from({ length: calls }, (_, at) => args(at));
  const taken_us: number[] = [];
  const whole_us = await cpu_us(async () => {
    for (const one of all) {
      const from_ms = performance.now();
      await ask("call", action, one);
      taken_us.push((performance.now() - from_ms) * 1_000);
    }
  });
  return { p50_us: median(taken_us), cpu_us: whole_us / calls };
};

/** What the packs add to a call: p50 with them against p50 without, in alternating blocks. */
const added = async (bench: Workbench, ask: Ask, load: CallLoad): Promise<Metric> => {
  const { name, title, limit_us } = load;
  const without = noPacks();
  const blocks = [() => eachCall(without, load), () => eachCall(ask, load)];
  for (let times = 0; times < warmUpCalls; times++) for (const block of blocks) await block();
  const onRun = (run: number) => bench.progress(`${title}: run ${run + 1}/${bench.runs}`);
  const [floor, subject] = await alternate(bench.runs, blocks, onRun);
  if (floor === undefined || subject === undefined) throw new Error("bench: a contender has no runs");
  const p50s = (figures: readonly CallFigures[]): readonly number[] => figures.map(({ p50_us }) => p50_us);
  const cpu = (figures: readonly CallFigures[]): string => median(figures.map((one) => one.cpu_us)).toFixed(1);
  return {
    name,
    title: `${title}: what the starter packs add to it, p50`,
    unit: "us",
    value: median(subject.map(({ p50_us }, run) => p50_us - (floor[run]?.p50_us ?? 0))),
    floor: median(p50s(floor)),
    floorIs: "the engine without a rule, p50",
    ratio: ratios(p50s(subject), p50s(floor)),
    runs: bench.runs,
    budget: { holds: "value at most", limit: limit_us },
    holdsBesides: true,
    notes: [
      `processor time a call, threads that compile and collect included, mean: ${cpu(subject)} us, without a rule ${cpu(floor)} us`,
    ],
  };
};

/** Processor time of one result at a time, alternating with a loop that shows how fast the core is now. */
const resultMetric = async (bench: Workbench, ask: Ask, name: string, text: string): Promise<Metric> => {
  const title = `a result of 10 MB of ${name} through all starter packs`;
  let turn = 0;
  const blocks = [
    () => cpu_us(loop),
    // Another text each time, so that nothing is known of it; made before the clock runs.
    () => {
      const result = resultOf(`${text} ${turn++}`);
      return cpu_us(() => ask("result", "read_file", result));
    },
  ];
  for (let times = 0; times < warmUpResults; times++) for (const block of blocks) await block();
  const onRun = (run: number) => bench.progress(`${title}: run ${run + 1}/${bench.runs}`);
  const [floor, subject] = await alternate(bench.runs, blocks, onRun);
  if (floor === undefined || subject === undefined) throw new Error("bench: a contender has no runs");
  return {
    name: "packs_result",
    title: `${title}, processor time`,
    unit: "ms",
    value: median(subject) / 1_000,
    floor: median(floor) / 1_000,
    floorIs: "a loop of 10 million steps",
    ratio: ratios(subject, floor),
    runs: bench.runs,
    budget: { holds: "value at most", limit: result_ms },
    holdsBesides: true,
    notes: [],
  };
};

/** One result for each content; the slowest is the figure. */
const results = async (bench: Workbench, ask: Ask): Promise<Metric> => {
  const metrics: Metric[] = [];
  for (const [name, make] of Object.entries(contents)) {
    metrics.push(await resultMetric(bench, ask, name, make(resultCharacters)));
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
    const loads: readonly CallLoad[] = [
      {
        name: "packs_call",
        title: "a call of 1 KiB without a command",
        action: "send_message",
        limit_us: 50,
        args: () => callOf(next++),
      },
      {
        name: "packs_command_first",
        title: "a command that was not seen before",
        action: "bash",
        limit_us: 1_000,
        args: () => commandOf(next++),
      },
      {
        name: "packs_command_again",
        title: "a command that was seen before",
        action: "bash",
        limit_us: 20,
        args: (at) => commandOf(at % 5),
      },
    ];
    const metrics: Metric[] = [];
    for (const load of loads) metrics.push(await added(bench, ask, load));
    return [...metrics, await results(bench, ask)];
  },
};
