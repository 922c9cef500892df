// `npm run eval:transparent -- [--only NAME,...] [--json FILE]`: see docs/transparency.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startAllowingDaemon } from "./daemon.ts";
import { evaluate } from "./evaluate.ts";
import { progress } from "./progress.ts";
import { type Evaluation, type Row, table } from "./results/table.ts";
import type { Suite } from "./suite.ts";
import { suites } from "./suites.ts";

const chosen = (only: string | undefined): readonly Suite[] => {
  if (only === undefined) return suites;
  return only.split(",").map((name) => {
    const found = suites.find((suite) => suite.name === name);
    if (found === undefined)
      throw new Error(`no suite ${name}; there are ${suites.map((suite) => suite.name).join(", ")}`);
    return found;
  });
};

const written = (rows: readonly Row[], notRun: readonly string[]): string => {
  const result: Evaluation = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    suites: rows,
    not_run: notRun,
  };
  return `${JSON.stringify(result, null, 2)}\n`;
};

const run = async (): Promise<number> => {
  const { only, json } = parseArgs({ options: { only: { type: "string" }, json: { type: "string" } } }).values;
  const wanted = chosen(only);
  const rows: Row[] = [];
  const refused: string[] = [];
  const shown = progress();
  const daemon = await startAllowingDaemon();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void daemon.stop().finally(() => process.exit(130)));
  }
  try {
    for (const suite of wanted) {
      try {
        rows.push(await evaluate(suite, daemon, shown.say));
      } catch (error) {
        refused.push(`${suite.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    shown.end();
    await daemon.stop();
  }
  process.stdout.write(`${table(rows)}\n`);
  const failures = rows.flatMap(({ suite, only_guarded }) => only_guarded.map((name) => `${suite}: ${name}`));
  for (const failure of failures) process.stdout.write(`failed only when guarded: ${failure}\n`);
  for (const reason of refused) process.stderr.write(`eval: not run: ${reason}\n`);
  if (json !== undefined) writeFileSync(json, written(rows, refused));
  if (failures.length > 0) return 1;
  return refused.length > 0 ? 2 : 0;
};

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`eval: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
