// `npm run eval:drift -- [--set tuned|held_out] [--wrong] [--json FILE]`: see conformance/drift/README.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measure } from "./measure.ts";
import { loadPairs } from "./pairs.ts";
import { wanted } from "./wanted.ts";

const { values } = parseArgs({
  options: { set: { type: "string" }, wrong: { type: "boolean", default: false }, json: { type: "string" } },
});

const sets = ["tuned", "held_out"];
if (values.set !== undefined && !sets.includes(values.set))
  throw new Error(`no set ${values.set}; there are ${sets.join(", ")}`);

const pairs = loadPairs().filter(({ set }) => values.set === undefined || set === values.set);
const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`.padStart(8);
process.stdout.write(
  `${"set".padEnd(10)}${"attacks".padStart(9)}${"recall".padStart(9)}${"churn".padStart(7)}${"held falsely".padStart(14)}\n`,
);
for (const set of [...sets, "all"]) {
  const some = pairs.filter((pair) => set === "all" || pair.set === set);
  if (some.length === 0) continue;
  const { recall, false_positive_rate, wrong } = measure(some);
  const count = (label: string): string => String(some.filter((pair) => pair.label === label).length);
  process.stdout.write(
    `${set.padEnd(10)}${count("attack").padStart(9)}${percent(recall).padStart(9)}${count("churn").padStart(7)}${percent(false_positive_rate).padStart(14)}\n`,
  );
  if (!values.wrong || set === "all") continue;
  for (const { name, label, findings } of wrong)
    process.stdout.write(`  ${label}/${name}: ${findings.join("; ") || "nothing found"}\n`);
}

const { total, recall, false_positive_rate } = measure(pairs);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ total, recall, false_positive_rate }, null, 2)}\n`);
const isShort = recall < wanted.recall || false_positive_rate > wanted.falsePositiveRate;
if (isShort)
  process.stdout.write(
    `not as it should be: wanted ${percent(wanted.recall).trim()} at ${percent(wanted.falsePositiveRate).trim()}\n`,
  );
process.exitCode = isShort ? 1 : 0;
