// `npm run bench -- [--only NAME,...] [--runs N] [--memory] [--json FILE]`: see README.md in this folder.
import { parseArgs } from "node:util";
import { groups } from "./groups.ts";
import { isMet, type Metric } from "./metric.ts";
import { lines, machine, writeJson } from "./report.ts";
import { Workbench } from "./workbench.ts";

const fewestRuns = 7;

class UsageError extends Error {}

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        only: { type: "string" },
        runs: { type: "string", default: "9" },
        memory: { type: "boolean", default: false },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const chosenNames = (only: string | undefined): ReadonlySet<string> | null => {
  if (only === undefined) return null;
  const known = new Set(groups.flatMap((group) => [group.name, ...group.yields]));
  const names = new Set(only.split(","));
  for (const name of names) {
    if (!known.has(name)) throw new UsageError(`no metric ${name}; there are ${[...known].join(", ")}`);
  }
  return names;
};

const onTerminal = process.stderr.isTTY === true;
const say = (words: string): void => {
  if (onTerminal) process.stderr.write(`\r\u001b[K${words}`);
};

const measureAll = async (): Promise<readonly Metric[]> => {
  const options = readArguments();
  const only = chosenNames(options.only);
  const runs = Number(options.runs);
  if (!Number.isInteger(runs) || runs < fewestRuns) throw new UsageError(`--runs is a whole number from ${fewestRuns}`);

  const wanted = groups.filter((group) => {
    if (only !== null) return only.has(group.name) || group.yields.some((name) => only.has(name));
    return group.onlyWith === null || (group.onlyWith === "memory" && options.memory);
  });
  const measured: Metric[] = [];
  const bench = new Workbench(runs, say);
  try {
    process.stdout.write(`${machine()}\n`);
    for (const group of wanted) {
      const metrics = await group.measure(bench);
      await bench.clear();
      say("");
      for (const metric of metrics) {
        if (only !== null && !only.has(group.name) && !only.has(metric.name)) continue;
        measured.push(metric);
        process.stdout.write(`\n${lines(metric)}\n`);
      }
    }
  } finally {
    await bench.close();
  }
  if (options.json !== undefined) writeJson(options.json, measured);
  return measured;
};

try {
  const missed = (await measureAll()).filter((metric) => !isMet(metric)).map((metric) => metric.name);
  if (missed.length > 0) process.stdout.write(`\nmissed: ${missed.join(", ")}\n`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} catch (error) {
  say("");
  const words = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${words.startsWith("bench: ") ? words : `bench: ${words}`}\n`);
  process.exitCode = 2;
}
