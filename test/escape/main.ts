// `npm run eval:escape -- [--json FILE] [--only TEXT] [--node PATH] [--said]`: see README.md in this folder.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { evaluate } from "./evaluate.ts";
import { lineOf, type Result, scoreOf } from "./score.ts";

const readArguments = () =>
  parseArgs({
    options: {
      json: { type: "string" },
      only: { type: "string" },
      node: { type: "string", default: process.execPath },
      said: { type: "boolean", default: false },
    },
  }).values;

const onTerminal = process.stderr.isTTY === true;
const progress = (words: string): void => {
  if (onTerminal) process.stderr.write(`\r\u001b[K${words}`);
};

const json = (results: readonly Result[], node: string): string => {
  const attacks = results.map(({ attack, verdict, why }) => ({
    name: attack.name,
    family: attack.family,
    target: attack.target,
    preload: attack.preload,
    verdict,
    ...(attack.limit === null ? {} : { limit: attack.limit }),
    ...(why === "" ? {} : { why }),
  }));
  return `${JSON.stringify({ ...scoreOf(results), node, attacks }, null, 2)}\n`;
};

const main = async (): Promise<number> => {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments();
  } catch (error) {
    process.stderr.write(`eval:escape: ${(error as Error).message}\n`);
    return 2;
  }
  const version = execFileSync(options.node, ["--version"], { encoding: "utf8" }).trim();
  const results = await evaluate({
    only: options.only,
    node: options.node,
    onResult: ({ attack }, done, all) => progress(`${done}/${all} ${attack.family}: ${attack.name}`),
  });
  progress("");
  for (const result of results) {
    process.stdout.write(`${lineOf(result)}\n`);
    if (options.said && result.verdict !== "blocked") process.stdout.write(`${result.said.replace(/^/gm, "    ")}\n`);
  }
  const { total, blocked, declared, open } = scoreOf(results);
  const impossible = results.length - total;
  process.stdout.write(
    `\n${total} attacks on Node ${version}: ${blocked} blocked, ${declared} declared, ${open} open` +
      `${impossible === 0 ? "" : `; ${impossible} not possible here`}\n`,
  );
  if (options.json !== undefined) writeFileSync(options.json, json(results, version));
  return open === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  progress("");
  process.stderr.write(`eval:escape: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
