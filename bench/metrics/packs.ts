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
const calls = 400;

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

/** The processor time of `work` and of the loop, in alternating blocks. */
const measured = async (
  bench: Workbench,
  words: string,
  work: () => unknown,
): Promise<{ readonly subject: readonly number[]; readonly floor: readonly number[] }> => {
  const blocks = [() => cpu_us(loop), () => cpu_us(work)];
  for (let times = 0; times < 2; times++) for (const block of blocks) await block();
  const onRun = (run: number) => bench.progress(`${words}: run ${run + 1}/${bench.runs}`);
  const [floor, subject] = await alternate(bench.runs, blocks, onRun);
  if (floor === undefined || subject === undefined) throw new Error("bench: a contender has no runs");
  return { subject, floor };
};

interface Load {
  readonly name: string;
  readonly title: string;
  readonly unit: "us" | "ms";
  /** How many of them one run of `work` does. */
  readonly count: number;
  readonly budget: Budget;
  work(): unknown;
}

const metricOf = async (bench: Workbench, { name, title, unit, count, budget, work }: Load): Promise<Metric> => {
  const { subject, floor } = await measured(bench, title, work);
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

const ofEach = async (count: number, work: (at: number) => Promise<void>): Promise<void> => {
  for (let at = 0; at < count; at++) await work(at);
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
        // Another text each time, so that nothing is known of it.
        work: () => ask("result", "read_file", resultOf(`${text} ${turn++}`)),
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
        work: () => ofEach(calls, () => ask("call", "send_message", callOf(next++))),
      },
      {
        name: "packs_command_first",
        title: "a command that was not seen before",
        unit: "us",
        count: calls,
        budget: atMost(1_000),
        work: () => ofEach(calls, () => ask("call", "bash", commandOf(next++))),
      },
      {
        name: "packs_command_again",
        title: "a command that was seen before",
        unit: "us",
        count: calls,
        budget: atMost(20),
        work: () => ofEach(calls, (at) => ask("call", "bash", commandOf(at % 5))),
      },
    ];
    const metrics: Metric[] = [];
    for (const load of loads) metrics.push(await metricOf(bench, load));
    return [...metrics, await results(bench, ask)];
  },
};
