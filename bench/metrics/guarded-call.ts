import { compareLatency, type LatencyFigures, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { Budget, Metric, MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const callsABlock = 3000;

const us = (value: number): string => `${value.toFixed(1)} us`;
const times = (values: readonly number[], floor: readonly number[]): string =>
  `${ratios(values, floor).median.toFixed(2)} x`;

interface Compared {
  readonly echo: LatencyFigures;
  readonly parse: LatencyFigures;
  readonly daemon: LatencyFigures;
}

const compare = async (bench: Workbench, words: string, cores: string): Promise<Compared> => {
  const contenders = [
    await bench.floor("echo", cores),
    await bench.floor("parse-and-answer", cores),
    await bench.daemon(cores, { rules: 10, durability: "process" }),
  ];
  const [echo, parse, daemon] = await compareLatency(bench, words, contenders, new Frames(callsABlock));
  await bench.clear();
  return { echo, parse, daemon } as Compared;
};

const latency = (bench: Workbench, name: string, title: string, budget: Budget, compared: Compared): Metric => {
  const { echo, parse, daemon } = compared;
  return {
    name,
    title,
    unit: "us",
    value: daemon.p50_us,
    floor: echo.p50_us,
    floorIs: "bare echo",
    ratio: ratios(daemon.p50OfRuns, echo.p50OfRuns),
    runs: bench.runs,
    budget,
    holdsBesides: true,
    notes: [
      `p99 ${us(daemon.p99_us)}, bare echo ${us(echo.p99_us)}: ${times(daemon.p99OfRuns, echo.p99OfRuns)}`,
      `for scale, a server that only parses and answers: p50 ${us(parse.p50_us)}, ${times(parse.p50OfRuns, echo.p50OfRuns)}`,
    ],
  };
};

/** One guarded call against a bare echo of the same bytes, and what it costs the server. */
export const guardedCall: MetricGroup = {
  name: "guarded_call",
  yields: ["guarded_call_two_cores", "guarded_call_one_core", "server_cpu"],
  onlyWith: null,
  async measure(bench) {
    const twoCores = await compare(bench, "one guarded call, two cores", bench.cores.beside);
    const oneCore = await compare(bench, "one guarded call, one core", bench.cores.client);
    const { echo, parse, daemon } = oneCore;
    const call = "one guarded call, p50, receipt durable to the process, 10 rules";
    return [
      latency(
        bench,
        "guarded_call_two_cores",
        `${call}, client and server on a core each`,
        { holds: "ratio at most", limit: 1.25 },
        twoCores,
      ),
      latency(
        bench,
        "guarded_call_one_core",
        `${call}, client and server on one core`,
        { holds: "ratio at most", limit: 3 },
        oneCore,
      ),
      {
        name: "server_cpu",
        title: "the server's on-CPU time for one verdict, one in flight, one core",
        unit: "us",
        value: daemon.onCpu_us,
        floor: echo.onCpu_us,
        floorIs: "bare echo",
        ratio: ratios(daemon.onCpuOfRuns, echo.onCpuOfRuns),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 4 },
        holdsBesides: true,
        notes: [
          `for scale, a server that only parses and answers: ${us(median(parse.onCpuOfRuns))}, ${times(parse.onCpuOfRuns, echo.onCpuOfRuns)}`,
        ],
      },
    ];
  },
};
