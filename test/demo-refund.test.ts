import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { outputMatches, printedLines } from "./structure/docs/expected-output.ts";
import { fencedBlocks } from "./structure/docs/fences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

it("npm run demo:refund prints what docs/evals.md shows: the tool runs once, in the fourth step", {
  timeout: 120_000,
}, () => {
  const ran = spawnSync(process.execPath, ["--import", "tsx", "scripts/demo-refund.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(ran.stderr).toBe("");
  expect(ran.status).toBe(0);

  const lines = ran.stdout.split("\n");
  const ranAt = lines.flatMap((line, at) => (line.includes("[shop]") ? [at] : []));
  expect(ranAt).toEqual([lines.findIndex((line) => line.startsWith("4.")) + 1]);

  const blocks = fencedBlocks(readFileSync(`${root}docs/evals.md`, "utf8"));
  const shown = blocks.find(({ lines: [first] }) => first === "$ npm run demo:refund")?.lines.slice(1) ?? [];
  expect(outputMatches(shown, printedLines(ran.stdout)), `it printed:\n${ran.stdout}`).toBe(true);
});
