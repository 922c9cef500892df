import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CommandOutput } from "../../daemon/ledger/commands/output.ts";
import { prove } from "../../daemon/ledger/commands/prove.ts";
import { show } from "../../daemon/ledger/commands/show.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { Metric, MetricGroup } from "../metric.ts";
import { residentBytes } from "../process-cost.ts";
import { RawConnection } from "../raw-connection.ts";
import { ServerProcess } from "../server-process.ts";
import { median } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const mib = 1024 * 1024;
const count = 100_000;
const callsABlock = 20_000;
const inFlight = 64;
/** 30,000 receipts a second. */
const verifyBudget_s = count / 30_000;
const proofBudget_ms = 5;
const proofsARun = 100;
/** A part of the log is held at a time, however long it is; Node itself takes a third of this. */
const mostResident_mib = 200;
const look_ms = 10;

const command = fileURLToPath(new URL("../../dist/bin/interlock.js", import.meta.url));

/** A daemon's ledger of so many receipts, and the daemon gone. */
const ledgerIn = async (bench: Workbench): Promise<string> => {
  const args = await bench.daemonArguments({ rules: 10, durability: "process" });
  const server = await ServerProcess.start(bench.cores.beside, args);
  const connection = await RawConnection.open(server.socketPath, "verdicts");
  const frames = new Frames(callsABlock);
  for (let done = 0; done < count; done += callsABlock) {
    bench.progress(`receipts: ${done.toLocaleString("en-US")} of ${count.toLocaleString("en-US")} calls`);
    await connection.pipelined(bench.renumber(frames), inFlight);
  }
  connection.close();
  await server.stop();
  return args[args.indexOf("--state") + 1] as string;
};

interface Ran {
  readonly taken_s: number;
  readonly resident_mib: number;
}

/** The command from its start to its end, on one core. */
const ran = async (bench: Workbench, args: readonly string[]): Promise<Ran> => {
  const started_ms = performance.now();
  const child = spawn("taskset", ["-c", bench.cores.beside, process.execPath, command, ...args], {
    stdio: "ignore",
  });
  let resident_mib = 0;
  const look = setInterval(() => {
    try {
      resident_mib = Math.max(resident_mib, residentBytes(child.pid as number) / mib);
    } catch {
      // It has ended, and its exit is on its way.
      clearInterval(look);
    }
  }, look_ms);
  const [code] = await once(child, "exit");
  clearInterval(look);
  if (code !== 0) throw new Error(`bench: interlock ${args.slice(0, 2).join(" ")} ended with ${code}`);
  return { taken_s: (performance.now() - started_ms) / 1000, resident_mib };
};

const verified = async (bench: Workbench, state: string): Promise<Metric> => {
  const contenders = [["tail", "-n", "1"], ["verify"]].map(
    (words) => () => ran(bench, ["receipts", ...words, "--state", state]),
  );
  const onRun = (run: number) => bench.progress(`receipts, verified: run ${run + 1}/${bench.runs}`);
  const [one = [], all = []] = await alternate(bench.runs, contenders, onRun);
  const [floors, values] = [one, all].map((runs) => runs.map(({ taken_s }) => taken_s)) as [number[], number[]];
  const resident_mib = Math.max(...all.map((run) => run.resident_mib));
  return {
    name: "receipts_verify",
    title: `interlock receipts verify of ${count.toLocaleString("en-US")} receipts and their checkpoints, start of the program included, one core`,
    unit: "s",
    value: median(values),
    floor: median(floors),
    floorIs: "interlock receipts tail of one",
    ratio: ratios(values, floors),
    runs: bench.runs,
    budget: { holds: "value at most", limit: verifyBudget_s },
    holdsBesides: resident_mib <= mostResident_mib,
    notes: [
      `${Math.round(count / median(values)).toLocaleString("en-US")} receipts/s, at least ${(count / verifyBudget_s).toLocaleString("en-US")} wanted`,
      `resident memory ${resident_mib.toFixed(0)} MiB at most, ${mostResident_mib} allowed`,
    ],
  };
};

const each_ms = async (work: (seq: number) => Promise<CommandOutput>): Promise<number> => {
  const started_ms = performance.now();
  for (let at = 0; at < proofsARun; at += 1) {
    const { exitCode, error } = await work(1 + ((at * 7_919) % count));
    if (exitCode !== 0) throw new Error(`bench: ${error}`);
  }
  return (performance.now() - started_ms) / proofsARun;
};

const proved = async (bench: Workbench, state: string): Promise<Metric> => {
  const place = { state, store: "sqlite" };
  const question = { consistency: null, fromSize: null, progress: () => {} };
  // The first proof of a log reads all of it, and keeps what makes the next ones quick.
  const first_ms = performance.now();
  await prove(place, 1, question);
  const firstTook_ms = performance.now() - first_ms;
  const contenders = [
    () => each_ms((seq) => show(place, seq, { json: true, salt: false })),
    () => each_ms((seq) => prove(place, seq, question)),
  ];
  const onRun = (run: number) => bench.progress(`receipts, proved: run ${run + 1}/${bench.runs}`);
  const [shown = [], values = []] = await alternate(bench.runs, contenders, onRun);
  return {
    name: "receipts_prove",
    title: `an inclusion proof among ${count.toLocaleString("en-US")} receipts, made, judged, the store opened for each`,
    unit: "ms",
    value: median(values),
    floor: median(shown),
    floorIs: "the receipt is shown",
    ratio: ratios(values, shown),
    runs: bench.runs,
    budget: { holds: "value at most", limit: proofBudget_ms },
    holdsBesides: true,
    notes: [`the first of this log, which reads all of it: ${firstTook_ms.toFixed(0)} ms`],
  };
};

/** What it takes to check a long ledger, and to prove one of its receipts. */
export const receipts: MetricGroup = {
  name: "receipts",
  yields: ["receipts_verify", "receipts_prove"],
  onlyWith: null,
  async measure(bench) {
    const state = await ledgerIn(bench);
    return [await verified(bench, state), await proved(bench, state)];
  },
};
