// `npm run eval:tamper -- [--json FILE] [--only TEXT]`: see README.md in this folder.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { evaluate, lineOf, scoreOf } from "./evaluate.ts";

const readArguments = () => parseArgs({ options: { json: { type: "string" }, only: { type: "string" } } }).values;

const main = async (): Promise<number> => {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments();
  } catch (error) {
    process.stderr.write(`eval:tamper: ${(error as Error).message}\n`);
    return 2;
  }
  const evaluation = await evaluate(options.only, (result) => process.stdout.write(`${lineOf(result)}\n`));
  const { total, detected, verifiers_agree } = scoreOf(evaluation);
  process.stdout.write(`\n${lineOf(evaluation.unaltered).replace(/^\S+\s+/, "")}\n`);
  process.stdout.write(
    `${total} tamperings: ${detected} found and named; the two verifiers ${verifiers_agree ? "agree" : "DISAGREE"}\n`,
  );
  if (options.json !== undefined) {
    const tamperings = evaluation.results.map(({ agree: _, ...result }) => result);
    writeFileSync(options.json, `${JSON.stringify({ total, detected, verifiers_agree, tamperings }, null, 2)}\n`);
  }
  return detected === total && verifiers_agree ? 0 : 1;
};

process.exitCode = await main();
