// `npm run eval -- [--metric NAME] [--json FILE]`: see docs/evals.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { evaluate, parts } from "./evaluate.ts";
import { deviations } from "./results/expected.ts";
import { report } from "./results/table.ts";

const run = async (): Promise<number> => {
  const { metric, json } = parseArgs({
    options: { metric: { type: "string", default: "all" }, json: { type: "string" } },
  }).values;
  const names = metric === "all" ? [...parts.keys()] : metric.split(",");
  const { evaluation, notRun } = await evaluate(names, (name, seconds) => {
    process.stderr.write(`${name}: ${seconds.toFixed(1)} s\n`);
  });
  process.stdout.write(report(evaluation));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(evaluation, null, 2)}\n`);
  const wrong = deviations(evaluation);
  for (const line of wrong) process.stdout.write(`not as it should be: ${line}\n`);
  for (const line of notRun) process.stderr.write(`eval: not run: ${line}\n`);
  if (wrong.length > 0) return 1;
  return notRun.length > 0 ? 2 : 0;
};

// `exit` ends the daemons and removes their folders; a signal alone would not come to it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`eval: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
