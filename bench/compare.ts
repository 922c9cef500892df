import { alternate } from "./alternate.ts";
import type { Frames } from "./frames.ts";
import { median, quantile, type Spread, spread } from "./statistics.ts";
import type { Contender, Workbench } from "./workbench.ts";

/** Left for a server to finish what it does after the last answer of a block, so that the block pays for it. */
const settle_ms = 20;

/** Blocks of each contender before any counts: a daemon lives long, and its code is compiled for what it does by then. */
const warmUpBlocks = 10;

const warmUp = async (blocks: readonly (() => Promise<unknown>)[]): Promise<void> => {
  for (let times = 0; times < warmUpBlocks; times += 1) for (const block of blocks) await block();
};

/** One contender's figures over all runs: the medians, and each run's p50 for ratios. */
export interface LatencyFigures {
  readonly p50_us: number;
  readonly p99_us: number;
  readonly onCpu_us: number;
  readonly p50OfRuns: readonly number[];
  readonly p99OfRuns: readonly number[];
  readonly onCpuOfRuns: readonly number[];
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, settle_ms));

/** Latency of one request in flight, and the server's on-CPU time for it, for each contender in alternating blocks. */
export const compareLatency = async (
  bench: Workbench,
  words: string,
  contenders: readonly Contender[],
  frames: Frames,
): Promise<readonly LatencyFigures[]> => {
  const block = async ({ server, connection }: Contender) => {
    bench.renumber(frames);
    const before_ns = server.onCpu_ns();
    const latencies = await connection.oneAtATime(frames);
    await settled();
    const onCpu_us = (server.onCpu_ns() - before_ns) / frames.count / 1000;
    return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), onCpu_us };
  };
  const blocks = contenders.map((contender) => () => block(contender));
  await warmUp(blocks);
  const results = await alternate(bench.runs, blocks, (run) =>
    bench.progress(`${words}: run ${run + 1}/${bench.runs}`),
  );
  return results.map((runs) => {
    const p50OfRuns = runs.map((run) => run.p50);
    const p99OfRuns = runs.map((run) => run.p99);
    const onCpuOfRuns = runs.map((run) => run.onCpu_us);
    return {
      p50_us: median(p50OfRuns),
      p99_us: median(p99OfRuns),
      onCpu_us: median(onCpuOfRuns),
      p50OfRuns,
      p99OfRuns,
      onCpuOfRuns,
    };
  });
};

/** Verdicts a second with `window` requests in flight on one connection, one list of runs for each contender. */
export const compareThroughput = async (
  bench: Workbench,
  words: string,
  contenders: readonly Contender[],
  frames: Frames,
  window: number,
): Promise<readonly (readonly number[])[]> => {
  const blocks = contenders.map(({ connection }) => async () => {
    bench.renumber(frames);
    return frames.count / (await connection.pipelined(frames, window));
  });
  await warmUp(blocks);
  return alternate(bench.runs, blocks, (run) => bench.progress(`${words}: run ${run + 1}/${bench.runs}`));
};

/** Subject over floor, run by run: the two blocks of one run saw the same machine. */
export const ratios = (subject: readonly number[], floor: readonly number[]): Spread =>
  spread(subject.map((value, run) => value / (floor[run] as number)));
