// `npm run eval:detect -- [--set NAME] [--corpus NAME=FILE] [--wrong] [--json FILE]`: see docs/packs.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judgeBy } from "./judge.ts";
import { type Measured, measure } from "./measure.ts";
import { detectSets } from "./sets/all.ts";

const { values } = parseArgs({
  options: {
    set: { type: "string", multiple: true },
    corpus: { type: "string", multiple: true, default: [] },
    wrong: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const files = new Map(
  values.corpus.map((given) => [given.split("=", 1)[0] ?? "", given.slice(given.indexOf("=") + 1)]),
);
const names = new Set(detectSets.map(({ name }) => name));
for (const name of [...files.keys(), ...(values.set ?? [])])
  if (!names.has(name)) throw new Error(`no set ${name}; there are ${[...names].join(", ")}`);

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`.padStart(8);
const results: Record<string, Measured> = {};
const short: string[] = [];
process.stdout.write(
  `${"set".padEnd(16)}${"recall".padStart(8)}${"held falsely".padStart(14)}${"cases".padStart(8)}${"p50".padStart(12)}\n`,
);
for (const { name, load, wanted } of detectSets) {
  if (values.set !== undefined && !values.set.includes(name)) continue;
  // A judge of its own: what one set made it remember must not help another.
  const measured = await measure(load(files.get(name)), judgeBy("starter"));
  results[name] = measured;
  const { recall, false_positive_rate, n, p50_us, wrong } = measured;
  process.stdout.write(
    `${name.padEnd(16)}${percent(recall)}${percent(false_positive_rate).padStart(14)}${String(n).padStart(8)}${`${p50_us.toFixed(0)} us`.padStart(12)}\n`,
  );
  if (values.wrong)
    for (const { id, kind, expect, rule, never } of wrong)
      process.stdout.write(`  ${id} must be ${expect}, ${rule ?? "nothing held it"}: ${never ?? kind}\n`);
  if (recall < wanted.recall || false_positive_rate > wanted.falsePositiveRate)
    short.push(`${name}: wanted ${percent(wanted.recall).trim()} at ${percent(wanted.falsePositiveRate).trim()}`);
}
for (const line of short) process.stdout.write(`not as it should be: ${line}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = short.length > 0 ? 1 : 0;
