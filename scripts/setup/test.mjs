import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tally } from "./tally.mjs";

const run = (path, args) => {
  const ended = spawnSync(path, args, { stdio: ["ignore", "inherit", "inherit"] });
  return ended.status ?? 1;
};

const say = (words) => process.stdout.write(`${words}\n`);

/** The report of one vitest run, and its exit code. The report is undefined where vitest wrote none. */
const runVitest = (args) => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-test-"));
  try {
    const reportPath = join(folder, "report.json");
    const exitCode = run("node_modules/.bin/vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportPath}`,
      ...args,
    ]);
    try {
      return { exitCode, report: JSON.parse(readFileSync(reportPath, "utf8")) };
    } catch {
      return { exitCode, report: undefined };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Types, lint and every test. The last line on stdout is `N passed, N failed`; the exit code is 0 only when something
 * passed and nothing failed. A failed check, a file that does not load and a skipped test each count as failed.
 */
export const runTests = (args) => {
  const checks = [];
  if (run("node_modules/.bin/tsc", ["--noEmit"]) !== 0) checks.push("types: tsc --noEmit failed");
  if (run("node_modules/.bin/biome", ["ci", "."]) !== 0) checks.push("lint: biome ci failed");
  const { passed, failed, remarks } = tally(checks, runVitest(args));
  say(remarks.map((remark) => `\n${remark}`).join(""));
  say(`${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0 ? 0 : 1;
};
